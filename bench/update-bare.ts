import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { findInstallKeys } from '../src/access/credential-rows.ts'
import { errorBody } from '../src/http/errors.ts'
import { sameText } from '../src/lib/credentials.ts'
import { ApiError } from '../src/lib/errors.ts'
import { parseAuthorization, signatureOf } from '../src/lib/signature.ts'
import { versionKey } from '../src/lib/version-key.ts'
import { databaseOptions } from '../src/open.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'
import { serveBare } from './serve-bare.ts'

/**
 * The reference of an update check: nothing but node:http, our one statement for the keys of the install and the
 * highest version of its product, the signature by them, and JSON.stringify. No checks of arguments, no log, no limits.
 */
const { config, keys } = await benchContext(process.env)
const db = bareReader(databaseOptions(config))

const NOTHING_NEWER = new ApiError(404, 'not_found', 'There is no newer version.')

const CHECK = /^(\/v1\/installs\/([0-9]+)\/updates\/latest\.json)\?(.*)$/

/** The body of a 404; null for who is not known, or has no newest version. */
async function answer({ url = '', headers }: IncomingMessage): Promise<string | null> {
  const [, path = '', install_id = '0', text = ''] = CHECK.exec(url) ?? []
  const query = Object.fromEntries(new URLSearchParams(text))
  const [row] = await findInstallKeys(db, { id: Number(install_id) })
  if (!row || !isSigned(row, path, headers)) return null
  if ((row.newest_version ?? '') > versionKey(query['newer_than'] ?? '')) return null
  return errorBody(NOTHING_NEWER, {
    path: path.slice('/v1'.length),
    request: { install_id, ...query },
    requestId: 'req_bare',
    baseUrl: 'http://127.0.0.1',
    now: Date.now(),
  })
}

interface Keys {
  readonly public_key: string
  readonly secret_key: string
}

function isSigned(row: Keys, path: string, { authorization = '', date = '' }: IncomingHttpHeaders): boolean {
  const signed = parseAuthorization(authorization)
  if (signed?.scheme !== 'FS') return false
  const parts = { method: 'GET', contentMd5: '', contentType: '', date, path }
  const expected = signatureOf(keys.open(row.secret_key, 'installs.secret_key'), parts)
  return sameText(expected, signed.signature) && sameText(row.public_key, signed.publicKey)
}

await serveBare(async (request) => {
  const body = await answer(request)
  return { status: body === null ? 401 : 404, body: body ?? '' }
})
