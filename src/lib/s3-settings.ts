import { badSetting, ConfigError } from './config-error.ts'
import type { Variables } from './variables.ts'

/** A bucket of a service that speaks the protocol of Amazon S3. */
export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** Without a slash at the end; null: Amazon's own. */
  readonly endpoint: string | null
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Before the name of every file; empty, or ends in a slash. */
  readonly prefix: string
}

/** Reads `KEYWRIGHT_S3_BUCKET` and its companions; null without a bucket. ConfigError, which never tells a key. */
export function readS3Settings(read: Variables): S3Settings | null {
  const bucket = read.text('KEYWRIGHT_S3_BUCKET')
  if (bucket === null) return null
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw badSetting('KEYWRIGHT_S3_BUCKET', 'the name of a bucket', bucket)
  const accessKeyId = read.text('KEYWRIGHT_S3_ACCESS_KEY_ID')
  const secretAccessKey = read.text('KEYWRIGHT_S3_SECRET_ACCESS_KEY')
  if (accessKeyId === null || secretAccessKey === null)
    throw new ConfigError(
      'KEYWRIGHT_S3_ACCESS_KEY_ID and KEYWRIGHT_S3_SECRET_ACCESS_KEY must be set with KEYWRIGHT_S3_BUCKET, got not both',
    )
  const prefix = read.text('KEYWRIGHT_S3_PREFIX') ?? ''
  if (!/^[\w./-]{0,200}$/.test(prefix))
    throw badSetting('KEYWRIGHT_S3_PREFIX', 'letters, digits, dots, hyphens and slashes', prefix)
  return {
    bucket,
    region: read.text('KEYWRIGHT_S3_REGION') ?? 'us-east-1',
    endpoint: read.address('KEYWRIGHT_S3_ENDPOINT'),
    accessKeyId,
    secretAccessKey,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  }
}
