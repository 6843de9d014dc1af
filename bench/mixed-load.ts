import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { archiveWithCode } from './mixed-archive.ts'
import { keyOf, licenseOf, uidOf } from './licenses-seed.ts'
import { peerOptions, servePeer } from './processes.ts'
import { quantile } from './row.ts'

/** A seller's ordinary day, sped up: each kind of call comes so often a second, whether the last one was answered or not. */
export interface MixedLoadOptions {
  readonly address: string
  readonly token: string
  readonly productId: number
  /** Licenses of the product, as `licensesFolder` makes them. */
  readonly licenses: number
  /** What a checkout is opened with, but for who buys. */
  readonly opening: object
}

export interface MixedLoadQuestion {
  readonly seconds: number
}

export interface MixedLoad {
  /** Requests, also those of one kind of call that takes several. */
  readonly sent: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** What was answered with a refusal, or not at all: how often which. */
  readonly failures: Readonly<Record<string, number>>
}

const { address, token, productId, licenses, opening } = peerOptions<MixedLoadOptions>()
const base = `/v1/products/${productId}`
const authorization = `Bearer ${token}`
const paid: string[] = []
let serial = 0
let times: number[] = []
let failures: Record<string, number> = {}

/** Calls a second; 42 requests, as a purchase is three. */
const RATES: readonly { readonly perSecond: number; readonly work: () => Promise<unknown> }[] = [
  { perSecond: 4, work: purchase },
  { perSecond: 8, work: activation },
  { perSecond: 8, work: verification },
  { perSecond: 3, work: invoice },
  { perSecond: 4, work: () => ask(`${base}/licenses.json?count=25`) },
  { perSecond: 3, work: () => ask(`${base}/payments.json?count=25`) },
  { perSecond: 3.5, work: user },
  { perSecond: 0.5, work: upload },
]

servePeer(async ({ seconds }: MixedLoadQuestion): Promise<MixedLoad> => {
  times = []
  failures = {}
  await Promise.all(RATES.map((one) => paced(one, seconds)))
  return {
    sent: times.length,
    perSecond: times.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: quantile(times, 1),
    failures,
  }
})

async function paced({ perSecond, work }: (typeof RATES)[number], seconds: number): Promise<void> {
  const start = performance.now() + Math.random() * (1_000 / perSecond)
  const works: Promise<unknown>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = start + (n * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    works.push(work())
  }
  await Promise.all(works)
}

/** Where somebody lives decides by which font an invoice is drawn: most of them by that for Latin letters. */
const NAMES = [
  ['Ada', 'Lovelace', 'US'],
  ['Zoë', 'Müller', 'DE'],
  ['Ολυμπία', 'Παπαδοπούλου', 'GR'],
  ['Łukasz', 'Wiśniewski', 'PL'],
  ['Grace', 'Hopper', 'GB'],
  ['Søren', 'Kierkegaard', 'DK'],
  ['太郎', 'やまだ', 'JP'],
  ['Анна', 'Каренина', 'BG'],
  ['小明', '王', 'CN'],
  ['철수', '김', 'KR'],
] as const

async function purchase(): Promise<void> {
  const n = ++serial
  const [first, last, country] = NAMES[n % NAMES.length] ?? NAMES[0]
  const buyer = { user_email: `mixed.${n}@example.com`, user_firstname: first, user_lastname: last }
  const headers = {
    authorization: '',
    'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  }
  const sessions = '/v1/checkout/sessions'
  const input = { ...opening, ...buyer, country_code: country }
  const opened = await ask(`${sessions}.json`, { body: input, headers })
  if (opened['id'] === undefined) return
  const one = `${sessions}/${String(opened['id'])}`
  await ask(`${one}.json`, { headers })
  const body = { payment_token: 'test_succeeds' }
  const { payment } = (await ask(`${one}/pay.json`, { body, headers })) as { payment?: { id: string } }
  if (payment) paid.push(payment.id)
}

function activation(): Promise<unknown> {
  const n = ++serial
  return ask(`${base}/licenses/activate.json`, {
    body: {
      uid: randomBytes(16).toString('hex'),
      license_key: keyOf(1 + ((n * 7) % licenses)),
      url: `https://mixed-${n}.example.com`,
      version: '1.0.0',
    },
  })
}

function verification(): Promise<unknown> {
  const install = 1 + Math.floor(Math.random() * licenses * 2)
  const query = `uid=${uidOf(install)}&license_key=${keyOf(licenseOf(install))}`
  return ask(`${base}/installs/${install}/license.json?${query}`)
}

async function invoice(): Promise<void> {
  const id = paid[Math.floor(Math.random() * paid.length)]
  if (id !== undefined) await ask(`${base}/payments/${id}/invoice.pdf`)
}

function user(): Promise<unknown> {
  const n = ++serial
  const body = { email: `made.${n}@example.com`, first: 'Made', last: `Person ${n}` }
  return ask(`${base}/users.json`, { body })
}

async function upload(): Promise<void> {
  const n = ++serial
  const form = new FormData()
  form.set('file', new Blob([await archiveWithCode(`2.${n}`)]), 'example.zip')
  await ask(`${base}/tags.json`, { body: form })
}

const JSON_TYPE = 'application/json'

/** Without those that are empty. */
const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))

interface Asked {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(path: string, asked: Asked = {}): Promise<Record<string, unknown>> {
  const start = performance.now()
  const what = path.split('?')[0]?.replaceAll(/(?<=\/)\d+|(?<=sessions\/)[\w-]+/g, '…') ?? ''
  const answer = await send(path, asked).catch((error: unknown) => error as Error)
  times.push(performance.now() - start)
  // As by a connection that the server closed while it was idle.
  if (answer instanceof Error) return failed(`${what} ${codeOf(answer)}`, String(answer.cause ?? answer))
  const { response, text } = answer
  if (!response.ok) return failed(`${what} ${response.status}`, text)
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
}

async function send(path: string, { body, headers = {} }: Asked) {
  const isForm = body instanceof FormData
  const response = await fetch(address + path, {
    method: body ? 'POST' : 'GET',
    headers: headersOf({ authorization, ...headers, ...(body && !isForm && { 'content-type': JSON_TYPE }) }),
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return { response, text: Buffer.from(await response.arrayBuffer()).toString() }
}

/** What fetch says of a connection that failed. */
const codeOf = ({ name, cause }: Error) => (cause as { code?: string } | undefined)?.code ?? name

/** Tells the first of each kind. */
function failed(what: string, text: string): Record<string, unknown> {
  if (failures[what] === undefined) console.error(what, text)
  failures[what] = (failures[what] ?? 0) + 1
  return {}
}
