import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Failure } from './failure.ts'
import { noAnswer } from './server-option.ts'

export interface Target {
  /** Of the versions of a product, without `.json`. */
  readonly url: string
  readonly token: string
}

export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>> | null
  /** That of an earlier request with the same key. */
  readonly isReplayed: boolean
}

export interface Upload {
  readonly file: string
  readonly sha256: string
  readonly size: number
  readonly data: object
  /** Id of the version that it was before and that was deleted. */
  readonly deleted?: string
}

/** SHA-256 in hex and bytes of a file. */
export async function hashOf(file: string): Promise<{ readonly sha256: string; readonly size: number }> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new Failure('no_file', `${file} is no file.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { sha256: hash.digest('hex'), size: found.size }
}

/**
 * Sends a file as the server takes it in, and says how many bytes of it were sent. The server knows a repeated request
 * by a key of the file, of what is said of it, and of the version that it was before and that was deleted, if any: so
 * there is one version, whatever became of the first request.
 */
export async function uploadFile(
  { url, token }: Target,
  { file, sha256, size, data, deleted = '' }: Upload,
  progress: (sent: number) => void,
): Promise<Answer> {
  const boundary = `----keywright${randomBytes(12).toString('hex')}`
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="data"\r\n\r\n${JSON.stringify(data)}\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${nameOf(file)}"\r\n` +
      'content-type: application/zip\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const request = send(`${url}.json`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + size + tail.length,
      'idempotency-key': keyOf(sha256, JSON.stringify(data), deleted),
    },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  const sent = pipeline(bodyOf(file, { head, tail }, progress), request).catch(() => {})
  try {
    const response = await answered
    const isReplayed = response.headers['idempotent-replayed'] !== undefined
    return { status: response.statusCode ?? 0, json: jsonIn(await text(response)), isReplayed }
  } catch (error) {
    throw brokeOff(url, error)
  } finally {
    // A refusal may come before the whole file was sent.
    request.destroy()
    await sent
  }
}

/** A request without a file. */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, init)
    const isReplayed = response.headers.has('idempotent-replayed')
    return { status: response.status, json: jsonIn(await response.text()), isReplayed }
  } catch (error) {
    throw brokeOff(url, error)
  }
}

/** Whatever became of the request: it may be sent once more. */
function brokeOff(url: string, error: unknown): Failure {
  const { origin } = new URL(url)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return new Failure('not_sent', noAnswer(origin))
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Failure('not_sent', `The connection to ${origin} broke off (${why}); run this again.`)
}

const keyOf = (...parts: readonly string[]) =>
  `deploy-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

const nameOf = (file: string) => basename(file).replaceAll(/[^\w.-]+/g, '-')

async function* bodyOf(
  file: string,
  { head, tail }: { readonly head: Buffer; readonly tail: Buffer },
  progress: (sent: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  yield head
  let sent = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    yield chunk as Buffer
    sent += (chunk as Buffer).length
    progress(sent)
  }
  yield tail
}

/** Null for what is no JSON, as of a proxy before the server. */
function jsonIn(body: string): Answer['json'] {
  try {
    return JSON.parse(body) as Answer['json']
  } catch {
    return null
  }
}
