import { withoutEndSlashes } from '../../lib/formats.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureOf } from '../../lib/signature.ts'
import { SECOND, toRfc2822 } from '../../lib/time.ts'

/** Who reads a server: a developer with its keys there. */
export interface Login {
  /** Of the server, without `/v1`. */
  readonly url: string
  readonly developerId: number
  readonly publicKey: string
  readonly secretKey: string
}

/** The server does not answer as it should; the message says to what, and how. */
export class ServerRefuses extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** An entity of the interface, as a reply has it. */
export type Sent = Readonly<Record<string, unknown>>

const PAGE = 50
const TRIES = 5
const WAIT_MS = 30 * SECOND
const MAX_REST_MS = 60 * SECOND

/** Reads a server as its interface has it, below `/v1/developers/{id}`; each request is signed by itself. */
export class Client {
  readonly #login: Login
  readonly #now: () => number

  constructor(login: Login, now: () => number) {
    this.#login = { ...login, url: withoutEndSlashes(login.url) }
    this.#now = now
  }

  /** What a path answers; null where there is nothing at it. A server that is busy is asked again. */
  async get(path: string): Promise<Sent | null> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(path).catch((error: unknown) => error)
      if (!(answer instanceof Response)) {
        if (tries >= TRIES) throw new ServerRefuses(`${this.#login.url} does not answer.`, 0)
        await sleep(SECOND * tries)
        continue
      }
      if (answer.ok) return (await answer.json()) as Sent
      if (answer.status === 404) return null
      const isBusy = answer.status === 429 || answer.status >= 500
      if (!isBusy || tries >= TRIES) throw refusalOf(path, answer.status, await answer.text())
      await sleep(Math.min(MAX_REST_MS, Number(answer.headers.get('retry-after') ?? tries) * SECOND))
    }
  }

  /**
   * Everything that a list has, by pages, under the name that the reply has for it. What is added meanwhile moves rows to
   * later pages, so that one may be seen twice; it is answered once. A server without the list is refused, as it would
   * otherwise be taken for one that has nothing.
   */
  async *all(path: string, name: string): AsyncGenerator<Sent> {
    const seen = new Set<unknown>()
    for (let offset = 0; ; offset += PAGE) {
      const separator = path.includes('?') ? '&' : '?'
      const reply = await this.get(`${path}${separator}count=${PAGE}&offset=${offset}`)
      const rows = reply?.[name]
      if (!Array.isArray(rows)) throw new ServerRefuses(`The server has no list of ${name} at ${path}.`, 404)
      const before = seen.size
      for (const row of rows as readonly Sent[]) {
        if (!seen.has(row['id'])) yield row
        seen.add(row['id'])
      }
      // A server may give fewer at once than it was asked for.
      if (seen.size === before) return
    }
  }

  /** A list that has no pages; empty of a server that does not have it. */
  async list(path: string, name: string): Promise<readonly Sent[]> {
    const reply = await this.get(path)
    const rows = reply?.[name] ?? []
    return Array.isArray(rows) ? (rows as readonly Sent[]) : []
  }

  #ask(path: string): Promise<Response> {
    const { url, developerId, publicKey, secretKey } = this.#login
    const whole = `/v1/developers/${developerId}${path}`
    const date = toRfc2822(this.#now())
    const [signedPath = ''] = whole.split('?')
    const parts = { method: 'GET', contentMd5: '', contentType: '', date, path: signedPath }
    const signature = signatureOf(secretKey, parts)
    const headers = { date, authorization: `FS ${developerId}:${publicKey}:${signature}` }
    return fetch(url + whole, { headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
  }
}

function refusalOf(path: string, status: number, text: string): ServerRefuses {
  const said = /"message":"([^"]{1,200})"/.exec(text)?.[1]
  return new ServerRefuses(
    `The server refuses ${path.split('?')[0]} with ${status}${said ? `: ${said}` : '.'}`,
    status,
  )
}
