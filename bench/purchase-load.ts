import { peerOptions, servePeer } from './processes.ts'

/** Buyers at a time, each of whom opens a checkout, looks at it, pays it, and is somebody else from then on. */
export interface PurchaseLoadOptions {
  readonly address: string
  readonly buyers: number
  /** What a checkout is opened with, but for who buys. */
  readonly opening: object
}

export interface PurchaseLoadQuestion {
  /** 0: one purchase. */
  readonly ms: number
}

export interface PurchaseLoad {
  readonly perSecond: number
}

const { address, buyers, opening } = peerOptions<PurchaseLoadOptions>()
const sessions = `${address}/v1/checkout/sessions`
let bought = 0

servePeer(async ({ ms }: PurchaseLoadQuestion): Promise<PurchaseLoad> => {
  const start = performance.now()
  let count = 0
  const buyUntil = async () => {
    do {
      await buy()
      count++
    } while (performance.now() < start + ms)
  }
  await Promise.all(Array.from({ length: ms === 0 ? 1 : buyers }, buyUntil))
  return { perSecond: (count / (performance.now() - start)) * 1_000 }
})

async function buy(): Promise<void> {
  const n = ++bought
  const input = { ...opening, user_email: `buyer.${process.pid}.${n}@example.com` }
  const { id } = (await ask('POST', n, '.json', input)) as { id: string }
  await ask('GET', n, `/${id}.json`)
  const payment = { payment_token: 'test_succeeds' }
  const { state } = (await ask('POST', n, `/${id}/pay.json`, payment)) as { state: string }
  if (state !== 'paid') throw new Error(`A purchase is ${state}.`)
}

/** Each buyer from an address of its own, as of one address only some may open a checkout or pay one. */
async function ask(method: string, from: number, path: string, body?: object): Promise<unknown> {
  const address = `10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`
  const response = await fetch(sessions + path, {
    method,
    headers: { 'x-forwarded-for': address, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
