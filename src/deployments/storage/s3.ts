import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../lib/s3-settings.ts'
import { once } from '../../lib/once.ts'
import { SECOND } from '../../lib/time.ts'
import type { Received } from '../../lib/receive.ts'
import type { Storage, StoredFile } from './storage.ts'

const NAME = /^[0-9a-f]{64}$/
const TIMEOUTS = { connectionTimeout: 5 * SECOND, requestTimeout: 60 * SECOND }

/** Each download holds one while it is read, however slowly. */
const AGENT = { keepAlive: true, maxSockets: 1_000 }

const TRIES = 3
const RETRY_AFTER_MS = 200

const nothing = () => {}
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * Files in a bucket, each under its hash; the service refuses bytes of another one. What is not whole yet is in a
 * folder of this machine (`incoming`). The official client is loaded with the first call.
 */
export function s3Storage(
  settings: S3Settings,
  incoming: Pick<Storage, 'receive' | 'place' | 'discard' | 'clean'>,
): Storage {
  const { bucket: Bucket, prefix } = settings
  const client = once(() => connect(settings))
  const keyOf = (sha256: string) => `${prefix}${sha256}`
  return {
    receive: incoming.receive,
    place: incoming.place,
    discard: incoming.discard,
    clean: incoming.clean,
    async keep(received) {
      const { s3, PutObjectCommand } = await client()
      const place = { Bucket, Key: keyOf(received.sha256) }
      await again(() => s3.send(new PutObjectCommand({ ...place, ...contentOf(received) })))
    },
    async read(sha256, range) {
      const { s3, GetObjectCommand } = await client()
      const Range = range && `bytes=${range.first}-${range.last}`
      const wanted = { Bucket, Key: keyOf(sha256), ...(Range !== undefined && { Range }) }
      const found = await s3.send(new GetObjectCommand(wanted)).catch(nullIfGone)
      const body = found?.Body as Readable | undefined
      return body ? { chunks: body, close: async () => void body.destroy() } : null
    },
    async *list() {
      const { s3, ListObjectsV2Command } = await client()
      for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
        const ContinuationToken = token
        const page = await s3.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            ...(ContinuationToken !== undefined && { ContinuationToken }),
          }),
        )
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const sha256 = Key.slice(prefix.length)
          if (NAME.test(sha256)) yield { sha256, size: Size, keptAt: LastModified?.getTime() ?? 0 }
        }
        token = page.NextContinuationToken
      }
    },
    async remove({ sha256, keptAt }: StoredFile) {
      const { s3, DeleteObjectCommand, HeadObjectCommand } = await client()
      const found = await s3.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) })).catch(nullIfGone)
      if (!found || (found.LastModified?.getTime() ?? 0) > keptAt) return false
      await s3.send(new DeleteObjectCommand({ Bucket, Key: keyOf(sha256) }))
      return true
    },
  }
}

async function connect({ region, endpoint, accessKeyId, secretAccessKey }: S3Settings) {
  const library = await import('@aws-sdk/client-s3')
  const s3: S3Client = new library.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { ...TIMEOUTS, httpAgent: AGENT, httpsAgent: AGENT },
    maxAttempts: TRIES,
    // What fails is thrown, and told by who asked; the client would tell it on the console as well.
    logger: SILENT,
    // Services other than Amazon's take these where they are needed, and some no others.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
  })
  return { ...library, s3 }
}

/** With a stream of its own each time it is asked for. */
const contentOf = ({ path, sha256, size }: Received) => ({
  Body: createReadStream(path),
  ContentLength: size,
  ContentType: 'application/zip',
  ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
})

/** The client repeats no request whose body is a stream. What a service refuses, it would refuse again. */
async function again(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await work())
    } catch (error) {
      const status = statusOf(error)
      const isFinal = status !== undefined && status < 500 && status !== 429
      if (isFinal || tries === TRIES) throw error
    }
    await sleep(tries * RETRY_AFTER_MS)
  }
}

function nullIfGone(error: unknown): null {
  if (statusOf(error) === 404) return null
  throw error
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
