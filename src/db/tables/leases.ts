/** What `claim` works on. Times are integer milliseconds since the epoch. */
export interface LeaseColumns {
  /** When the work is due; null when nothing is left to do. */
  due_at: number | null
  lease_until: number
  /** Grows with each claim; a holder whose number has passed writes nothing any more. */
  fence: number
}
