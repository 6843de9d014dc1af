/**
 * The ids or texts of an `in (…)` list, padded to a power of two with their last one, so that lists of any length
 * make few different statements (`docs/decisions.md` 4.3). Never empty.
 */
export function inList(ids: readonly number[]): number[]
export function inList(texts: readonly string[]): string[]
export function inList(values: readonly (number | string)[]): (number | string)[] {
  const last = values.at(-1) ?? 0
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  return Array.from({ length }, (_, index) => values[index] ?? last)
}
