/**
 * `amount × part / whole`, rounded half up (`docs/decisions.md` 5.1). All three are whole and not negative, `whole` is
 * not 0; exact whatever their size. RangeError when the result is past 2^53.
 */
export function portion(amount: number, part: number, whole: number): number {
  const product = 2n * BigInt(amount) * BigInt(part) + BigInt(whole)
  const rounded = Number(product / (2n * BigInt(whole)))
  if (!Number.isSafeInteger(rounded)) throw new RangeError('An amount is past what is counted exactly.')
  return rounded
}

/**
 * Hands out `amount` by weight: each part is its exact share, rounded down or up, and all add up to `amount`.
 * What is left over goes to those who lost most by rounding, the first of equals first: `split(100, [1, 1, 1])`
 * → `[34, 33, 33]`. Whole numbers, not negative; a part without weight gets nothing, and so none is above its
 * weight while `amount` is at most their sum. RangeError when there is an amount and no weight.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  if (sum === 0n && amount > 0) throw new RangeError('There is nothing to split by.')
  const shares = weights.map((weight, index) => shareOf(BigInt(amount) * BigInt(weight), sum, index))
  const given = shares.reduce((total, { floor }) => total + floor, 0)
  const byLoss = shares.toSorted((a, b) => (a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1))
  const rounded = new Set(byLoss.slice(0, amount - given).map(({ index }) => index))
  return shares.map(({ floor, index }) => (rounded.has(index) ? floor + 1 : floor))
}

const shareOf = (product: bigint, sum: bigint, index: number) =>
  sum === 0n ? { floor: 0, lost: 0n, index } : { floor: Number(product / sum), lost: product % sum, index }
