/** A seller that is a demo, whose live history goes on. */
export interface DemosTable {
  developer_id: number
  /** When it was made, milliseconds. */
  begun_ms: number
  /** Up to when what happened is written, milliseconds. */
  booked_ms: number
}
