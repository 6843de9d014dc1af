/** A time as a field has it (`2026-01-31T10:00:00`) so many months later; of a shorter month its last day. */
export function later(time: string, months: number): string {
  const from = new Date(`${time}Z`)
  const to = new Date(from)
  to.setUTCMonth(from.getUTCMonth() + months)
  // A day that the month has not would lead into the next one.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return to.toISOString().slice(0, 19)
}
