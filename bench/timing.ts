/** Beyond this the means of two samples are told apart (dudect's bound, `docs/security-checks.md` S08). */
export const T_LINE = 4.5

/** Part of the slowest samples that is left out: interruptions by the machine, which say nothing about the code. */
const CROPPED = 0.05

export interface Contest<T> {
  readonly name: string
  /** What is timed, with one input. */
  run(input: T): unknown
  /** Inputs of two kinds, made alike, so that only what they say differs. */
  readonly left: readonly T[]
  readonly right: readonly T[]
}

export interface Verdict {
  readonly name: string
  readonly t: number
  readonly meansUs: readonly [number, number]
}

/** Times single runs of both kinds in random order, and compares the means by Welch's t. */
export async function compareTimes<T>(
  { name, run, left, right }: Contest<T>,
  samples: number,
): Promise<Verdict> {
  const times: [number[], number[]] = [[], []]
  for (let sample = -samples / 10; sample < 2 * samples; sample++) {
    const kind = Math.random() < 0.5 ? 0 : 1
    const inputs = kind === 0 ? left : right
    const input = inputs[Math.floor(Math.random() * inputs.length)] as T
    const start = performance.now()
    await run(input)
    const took = performance.now() - start
    if (sample >= 0) times[kind].push(took)
  }
  const limit =
    [...times[0], ...times[1]].toSorted((a, b) => a - b)[Math.floor(2 * samples * (1 - CROPPED))] ?? 0
  const [a, b] = times.map((list) => momentsOf(list.filter((took) => took <= limit))) as [Moments, Moments]
  const t = (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
  return { name, t: Math.abs(t), meansUs: [a.mean * 1000, b.mean * 1000] }
}

interface Moments {
  readonly count: number
  readonly mean: number
  readonly variance: number
}

function momentsOf(values: readonly number[]): Moments {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
