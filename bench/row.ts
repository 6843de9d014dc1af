/** A line of the table. */
export interface Row {
  readonly name: string
  readonly ours: string
  readonly reference: string
  readonly ratio: string
  /** What it must reach; empty where it only informs. */
  readonly line: string
  /** Null where there is no line. */
  readonly pass: boolean | null
}

export interface BenchOptions {
  /** Fewer and shorter rounds: to see that it runs, not to judge by. */
  readonly quick: boolean
  /** Longer than others: what shows only after a while. */
  readonly long?: boolean
}

/** Prints what it sees beside the table, and returns its lines. */
export type Benchmark = (options: BenchOptions) => Promise<Row[]>

/** 0 ≤ part ≤ 1; of 0.5 the median. The values need no order. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** `12345.6` → `12,346`. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
