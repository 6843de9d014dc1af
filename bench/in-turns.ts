import type { Load } from './load.ts'
import { median, quantile, whole, type BenchOptions } from './row.ts'

/** Asks one of two for a time, in milliseconds. */
type Run = (ms: number) => Promise<Load>

interface Turns extends BenchOptions {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
}

interface Compared {
  /** How much faster the first is; the median of what each round shows. */
  readonly ratio: number
  readonly ours: string
  readonly reference: string
}

/** Short rounds in turn, so that what else the machine does meets both; the median of their ratios counts. */
export async function inTurns(name: string, [ours, reference]: readonly [Run, Run], turns: Turns) {
  const { rounds, roundMs, warmUpMs, quick } = turns
  for (const run of [ours, reference]) await run(warmUpMs)
  const pairs: { readonly ours: Load; readonly reference: Load }[] = []
  for (let round = 0; round < (quick ? rounds / 5 : rounds); round++) {
    const early = round % 2 === 0 ? await ours(roundMs) : null
    const beside = await reference(roundMs)
    pairs.push({ ours: early ?? (await ours(roundMs)), reference: beside })
  }
  const ratios = pairs.map((pair) => pair.ours.perSecond / pair.reference.perSecond)
  const middle = [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(2))
  console.log(`${name}: half of the ratios between ${middle.join(' and ')}`)
  const figure = (side: 'ours' | 'reference') =>
    `${whole(median(pairs.map((pair) => pair[side].perSecond)))}/s, p99 ${median(pairs.map((pair) => pair[side].p99Ms)).toFixed(1)} ms`
  return { ratio: median(ratios), ours: figure('ours'), reference: figure('reference') } satisfies Compared
}
