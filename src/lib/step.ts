/** How far a piece of work is. */
export interface Step {
  /** What is done: `copying the database`. */
  readonly what: string
  readonly done: number
  /** Of how many; null where that is not known. */
  readonly of: number | null
  readonly unit: 'rows' | 'bytes' | 'checks' | 'columns'
}

/** Told how far a piece of work is, as often as it likes. */
export type OnStep = (step: Step) => void

const MB = 1e6

/** `checking the copy: 340,000 of 1,200,000 rows, 28 %` */
export function stepText({ what, done, of, unit }: Step): string {
  const amount = unit === 'bytes' ? inMb : inDigits
  const word = unit === 'bytes' ? 'MB' : unit
  if (of === null)
    return `${what}: ${amount(done)} ${done === 1 && unit !== 'bytes' ? word.slice(0, -1) : word}`
  const share = of === 0 ? 100 : Math.min(100, Math.floor((100 * done) / of))
  return `${what}: ${amount(done)} of ${amount(of)} ${word}, ${share} %`
}

const inMb = (bytes: number) => (bytes / MB).toFixed(1)
const inDigits = (count: number) => count.toLocaleString('en-US')
