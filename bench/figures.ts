import type { OpenLoad } from './open-load.ts'
import { startKeywright, startPeer, type Server } from './processes.ts'
import { median, whole, type Benchmark } from './row.ts'
import { BUYERS, salesFolder, type SeededSales } from './sales-seed.ts'

const PAYMENTS = 1_000_000
const PER_SECOND = 200
const ROUNDS = 5
const ROUND_MS = 3_000
const LINE_MS = 20

/** What the slowest request waits while MRR and earnings of a million payments are summed, beside the same in peace. */
export const figures: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const payments = quick ? PAYMENTS / 10 : PAYMENTS
  const { environment, seeded, remove } = await salesFolder(payments)
  closing.defer(remove)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const load = await startPeer('open-load.ts', { connections: 16 })
  closing.defer(() => load.stop())
  const paths = Array.from(
    { length: 1_000 },
    (_, n) => `/v1/products/${seeded.productId}/users/${1 + ((n * 7) % BUYERS)}.json`,
  )
  const question = { address: server.address, paths, token: seeded.token, perSecond: PER_SECOND, restMs: 1 }
  const ask = (ms: number) => load.ask<OpenLoad>({ ...question, ms })
  const summer = new Summer(server, seeded)
  await Promise.all([ask(1_000), summer.once()])
  const rounds = { peace: [] as number[], beside: [] as number[] }
  for (let round = 0; round < (quick ? 2 : ROUNDS); round++) {
    rounds.peace.push((await ask(ROUND_MS)).maxMs)
    const stop = summer.start()
    rounds.beside.push((await ask(ROUND_MS)).maxMs)
    await stop()
  }
  console.log(`earnings and MRR of a year at once: ${summer.times.map((ms) => `${whole(ms)} ms`).join(', ')}`)
  const [beside, peace] = [median(rounds.beside), median(rounds.peace)]
  return [
    {
      name: `slowest of ${PER_SECOND} requests a second beside MRR and earnings of ${whole(payments)} payments; the reference has no such beside it`,
      ours: `${beside.toFixed(1)} ms`,
      reference: `${peace.toFixed(1)} ms`,
      ratio: `+${(beside - peace).toFixed(1)} ms`,
      line: `≤ +${LINE_MS} ms`,
      pass: beside - peace <= LINE_MS,
    },
  ]
}

/** Asks for the figures of a year, again and again. */
class Summer {
  readonly times: number[] = []
  readonly #server: Server
  readonly #seeded: SeededSales

  constructor(server: Server, seeded: SeededSales) {
    this.#server = server
    this.#seeded = seeded
  }

  async once(): Promise<void> {
    const start = performance.now()
    await Promise.all(['earnings', 'mrr'].map((name) => this.#ask(name)))
    this.times.push(performance.now() - start)
  }

  /** Until the answer is called. */
  start(): () => Promise<void> {
    let isOn = true
    const work = (async () => {
      while (isOn) await this.once()
    })()
    return () => {
      isOn = false
      return work
    }
  }

  async #ask(name: string): Promise<void> {
    const address = `${this.#server.address}/v1/products/${this.#seeded.productId}/figures/${name}.json`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${this.#seeded.token}` } })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${text}`)
  }
}
