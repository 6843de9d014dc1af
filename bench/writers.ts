import { startPeer, type Peer } from './processes.ts'
import { median, quantile, whole, type Benchmark, type BenchOptions, type Row } from './row.ts'
import { seededFolder } from './seed.ts'
import type { WriterOptions, WriterQuestion, Written } from './writer.ts'

const CONCURRENCY = 32
const TOGETHER_MS = 10_000
const LINE_MS = 20
const ROUNDS = 5
const ROUND_MS = 1_000

/** Two processes that write to one SQLite file, and what sharing a commit brings. */
export const writers: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const { environment, seeded, remove } = await seededFolder()
  closing.defer(remove)
  const start = async () => {
    const peer = await startPeer('writer.ts', { environment, seeded } satisfies WriterOptions)
    closing.defer(() => peer.stop())
    return peer
  }
  const one = await start()
  const other = await start()
  return [...(await writeTogether(one, other, options)), await compareCommits(one, options)]
}

async function writeTogether(one: Peer, other: Peer, { quick }: BenchOptions): Promise<Row[]> {
  const question = {
    work: 'users',
    concurrency: CONCURRENCY,
    ms: quick ? TOGETHER_MS / 5 : TOGETHER_MS,
  } as const
  const results = await Promise.all([one, other].map((peer) => ask(peer, question)))
  const errors = results.flatMap((result) => result.errors)
  const total = results.reduce((sum, { perSecond }) => sum + perSecond, 0)
  const shares = results.map(({ perSecond }) => `${Math.round((100 * perSecond) / total)} %`)
  const delays = results.map(({ delayP99Ms }) => delayP99Ms)
  console.log(
    `two writers: shares ${shares.join(' and ')}; longest delay of the event loop`,
    results.map(({ delayMaxMs }) => `${delayMaxMs.toFixed(1)} ms`).join(' and '),
  )
  return [
    {
      name: 'two processes create users in one SQLite file: errors',
      ours: errors.length === 0 ? `none in ${whole(total)} commits/s` : errors.join('; '),
      reference: '',
      ratio: '',
      line: 'none',
      pass: errors.length === 0,
    },
    {
      name: 'the same: event-loop delay p99',
      ours: delays.map((delay) => `${delay.toFixed(1)} ms`).join(' and '),
      reference: '',
      ratio: '',
      line: `< ${LINE_MS} ms`,
      pass: delays.every((delay) => delay < LINE_MS),
    },
  ]
}

/** Single rows, each durable when it is answered: 32 at a time through our queue, one by one without it. */
async function compareCommits(peer: Peer, { quick }: BenchOptions): Promise<Row> {
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
    const ours = await ask(peer, { work: 'rows', concurrency: CONCURRENCY, ms: ROUND_MS })
    const bare = await ask(peer, { work: 'bare rows', concurrency: 1, ms: ROUND_MS })
    rates.ours.push(ours.perSecond)
    rates.bare.push(bare.perSecond)
  }
  const ratio = median(rates.ours.map((rate, round) => rate / (rates.bare[round] ?? rate)))
  console.log(
    `commits: ${whole(quantile(rates.ours, 0))} to ${whole(quantile(rates.ours, 1))} a second through our queue`,
  )
  return {
    name: `durable commits: ${CONCURRENCY} writers through our queue, beside a plain loop of node:sqlite`,
    ours: `${whole(median(rates.ours))}/s`,
    reference: `${whole(median(rates.bare))}/s`,
    ratio: ratio.toFixed(2),
    line: '',
    pass: null,
  }
}

const ask = (peer: Peer, question: WriterQuestion) => peer.ask<Written>(question)
