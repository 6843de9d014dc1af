import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

interface Object_ {
  readonly bytes: Buffer
  readonly at: Date
}

/** The few calls of the protocol that we make, on a bucket in memory; `misbehave` answers instead. */
export class Bucket {
  readonly objects = new Map<string, Object_>()
  readonly calls: string[] = []
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null
  pageSize = 2

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.replace(/^\/bucket\/?/, ''))
    this.calls.push(`${request.method} ${key}`)
    assert.match(request.headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=key-id\//)
    if (this.misbehave?.(request, response)) return
    const body = await buffer(request)
    if (key === '') return void this.#list(url, response)
    if (request.method === 'PUT') return void this.#put(key, body, { request, response })
    const found = this.objects.get(key)
    if (!found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      return void response.writeHead(204).end()
    }
    this.#send(found, request, response)
  }

  #send(found: Object_, request: IncomingMessage, response: ServerResponse): void {
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const bytes = found.bytes.subarray(Number(first), last === '' ? undefined : Number(last) + 1)
    const headers = { 'last-modified': found.at.toUTCString(), 'content-length': bytes.length }
    response.writeHead(last === '' ? 200 : 206, headers).end(request.method === 'HEAD' ? undefined : bytes)
  }

  #put(
    key: string,
    body: Buffer,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ) {
    const sum = createHash('sha256').update(body).digest('base64')
    if (request.headers['x-amz-checksum-sha256'] !== sum)
      return response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>')
    this.objects.set(key, { bytes: body, at: new Date(Math.floor(Date.now() / 1000) * 1000) })
    return response.writeHead(200, { etag: '"x"' }).end()
  }

  #list(url: URL, response: ServerResponse) {
    const names = [...this.objects.keys()].filter((key) =>
      key.startsWith(url.searchParams.get('prefix') ?? ''),
    )
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const page = names.slice(from, from + this.pageSize)
    const isLast = from + this.pageSize >= names.length
    const contents = page.map((key) => {
      const { bytes, at } = this.objects.get(key) ?? assert.fail()
      return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
    })
    const more = isLast ? '' : `<NextContinuationToken>${from + this.pageSize}</NextContinuationToken>`
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
      )
  }
}

/** Serves whatever bucket `current` answers, and the environment of who keeps archives in it. */
export async function serveBucket(current: () => Bucket) {
  const server = createServer((request, response) => void current().answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const env: Readonly<Record<string, string>> = {
    KEYWRIGHT_S3_BUCKET: 'bucket',
    KEYWRIGHT_S3_ACCESS_KEY_ID: 'key-id',
    KEYWRIGHT_S3_SECRET_ACCESS_KEY: 'secret',
    KEYWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    KEYWRIGHT_S3_PREFIX: 'kw',
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { env, close }
}
