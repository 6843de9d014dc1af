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
/** Far more than a page of any list has. */
const MOST_BYTES = 32 * 1024 * 1024
const TRIES = 5
const WAIT_MS = 30 * SECOND
const MAX_REST_MS = 60 * SECOND

/** What a client needs of an answer; that of `fetch` is one. */
export interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Sends a GET. */
export type Ask = (
  url: string,
  init: {
    readonly headers: Record<string, string>
    readonly redirect: 'error'
    readonly signal: AbortSignal
  },
) => Promise<Answer>

export interface ClientManner {
  /** Without it, any address is asked that the machine reaches. */
  readonly ask?: Ask
  /** Awaited after each answer, with how many bytes it had; what it throws ends the reading. */
  readonly onAnswer?: (bytes: number) => Promise<void>
}

/** Reads a server as its interface has it, below `/v1/developers/{id}`; each request is signed by itself. */
export class Client {
  readonly #login: Login
  readonly #now: () => number
  readonly #manner: ClientManner

  constructor(login: Login, now: () => number, manner: ClientManner = {}) {
    this.#login = { ...login, url: withoutEndSlashes(login.url) }
    this.#now = now
    this.#manner = manner
  }

  /** What a path answers; null where there is nothing at it. A server that is busy is asked again. */
  async get(path: string): Promise<Sent | null> {
    for (let tries = 1; ; tries++) {
      const got = await this.#ask(path).catch((error: unknown) => {
        if (error instanceof ServerRefuses || tries >= TRIES) throw this.#silent(error)
        return null
      })
      if (got === null) {
        await sleep(SECOND * tries)
        continue
      }
      const { answer, text } = got
      await this.#manner.onAnswer?.(text.length)
      if (answer.ok) return this.#parsed(path, text)
      if (answer.status === 404) return null
      const isBusy = answer.status === 429 || answer.status >= 500
      if (!isBusy || tries >= TRIES) throw refusalOf(path, answer.status, text)
      await sleep(Math.min(MAX_REST_MS, Number(answer.headers.get('retry-after') ?? tries) * SECOND))
    }
  }

  #silent(error: unknown): ServerRefuses {
    if (error instanceof ServerRefuses) return error
    return new ServerRefuses(`${this.#login.url} does not answer.`, 0)
  }

  #parsed(path: string, text: string): Sent {
    try {
      return JSON.parse(text) as Sent
    } catch {
      throw new ServerRefuses(`What ${this.#login.url} answers at ${path.split('?')[0]} is no JSON.`, 0)
    }
  }

  /**
   * Everything that a list has, by pages, under the name that the reply has for it. What is added meanwhile moves rows to
   * later pages, so that one may be seen twice; it is answered once. A server without the list is refused, as it would
   * otherwise be taken for one that has nothing.
   */
  async *all(path: string, name: string): AsyncGenerator<Sent> {
    for await (const row of this.#pages(path, name)) {
      if (row === null) throw new ServerRefuses(`The server has no list of ${name} at ${path}.`, 404)
      yield row
    }
  }

  /** A list as `all` has it; empty of a server that does not have it. */
  async list(path: string, name: string): Promise<readonly Sent[]> {
    const rows = await Array.fromAsync(this.#pages(path, name))
    return rows.filter((row) => row !== null)
  }

  /** What a path answers of a single thing; null where the server tells nothing of it, for whatever reason. */
  async one(path: string): Promise<Sent | null> {
    return this.get(path).catch((error: unknown) => {
      if (error instanceof ServerRefuses && error.status >= 400 && error.status < 429) return null
      throw error
    })
  }

  /** The rows of a list by pages; null alone where there is no such list. */
  async *#pages(path: string, name: string): AsyncGenerator<Sent | null> {
    const seen = new Set<unknown>()
    for (let offset = 0; ; offset += PAGE) {
      const separator = path.includes('?') ? '&' : '?'
      const reply = await this.get(`${path}${separator}count=${PAGE}&offset=${offset}`)
      const rows = reply?.[name]
      if (!Array.isArray(rows)) {
        // `all` refuses it on a later page too: it would end a list that goes on.
        yield null
        return
      }
      const before = seen.size
      for (const row of rows as readonly Sent[]) {
        if (!seen.has(row['id'])) yield row
        seen.add(row['id'])
      }
      // A server may give fewer at once than it was asked for.
      if (seen.size === before) return
    }
  }

  async #ask(path: string): Promise<{ readonly answer: Answer; readonly text: string }> {
    const { url, developerId, publicKey, secretKey } = this.#login
    const whole = `/v1/developers/${developerId}${path}`
    const date = toRfc2822(this.#now())
    const [signedPath = ''] = whole.split('?')
    const parts = { method: 'GET', contentMd5: '', contentType: '', date, path: signedPath }
    const signature = signatureOf(secretKey, parts)
    const headers = { date, authorization: `FS ${developerId}:${publicKey}:${signature}` }
    const { ask = fetch } = this.#manner
    const init = { headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) } as const
    const answer: Answer = await ask(url + whole, init)
    return { answer, text: await textOf(answer) }
  }
}

/** The text of an answer; one that is longer than any of the interface is refused. */
async function textOf({ body, status }: Answer): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new ServerRefuses('The server answers more than 32 MiB at once.', status)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function refusalOf(path: string, status: number, text: string): ServerRefuses {
  const said = /"message":"([^"]{1,200})"/.exec(text)?.[1]
  return new ServerRefuses(
    `The server refuses ${path.split('?')[0]} with ${status}${said ? `: ${said}` : '.'}`,
    status,
  )
}
