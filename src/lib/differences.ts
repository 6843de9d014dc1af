/** The fields in which two states of one thing differ, as an event tells them; null when in none. */
export function differences<T extends object>(
  before: T,
  after: T,
): { readonly from: Partial<T>; readonly to: Partial<T> } | null {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => before[key] !== after[key])
  if (keys.length === 0) return null
  const pick = (state: T) => Object.fromEntries(keys.map((key) => [key, state[key]])) as Partial<T>
  return { from: pick(before), to: pick(after) }
}
