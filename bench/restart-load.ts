import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf, licenseOf, uidOf } from './licenses-seed.ts'
import { peerOptions, servePeer } from './processes.ts'

/** Clients that go on whatever becomes of the server: each activates a license, and verifies others. */
export interface RestartLoadOptions {
  readonly address: string
  readonly token: string
  readonly productId: number
  readonly clients: number
  readonly licenses: number
}

export interface RestartLoad {
  readonly answers: number
}

const { address, token, productId, clients, licenses } = peerOptions<RestartLoadOptions>()
const base = `${address}/v1/products/${productId}`
/** What a client waits after an answer, and before it tries again where there is none. */
const PAUSE_MS = 50
let answers = 0
let serial = 0

async function goOn(): Promise<never> {
  for (;;) {
    const n = ++serial
    await (n % 4 === 0 ? activate(n) : verify(1 + (n % licenses))).then(
      () => void answers++,
      () => {},
    )
    await sleep(PAUSE_MS)
  }
}

const activate = (n: number) =>
  ask('/licenses/activate.json', {
    uid: randomBytes(16).toString('hex'),
    license_key: keyOf(1 + (n % licenses)),
    url: `https://again-${n}.example.com`,
    version: '1.0.0',
  })

const verify = (install: number) =>
  ask(`/installs/${install}/license.json?uid=${uidOf(install)}&license_key=${keyOf(licenseOf(install))}`)

async function ask(path: string, body?: object): Promise<void> {
  const response = await fetch(base + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.text()
}

servePeer(async (): Promise<RestartLoad> => ({ answers }))
for (let client = 0; client < clients; client++) void goOn()
