/**
 * The ids of an `in (…)` list, padded to a power of two with their last one, so that lists of any length
 * make few different statements (DECISIONS 4.3). Never empty.
 */
export function inList(ids: readonly number[]): number[] {
  const last = ids.at(-1) ?? 0
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)))
  return Array.from({ length }, (_, index) => ids[index] ?? last)
}
