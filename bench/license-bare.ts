import { databaseOptions } from '../src/open.ts'
import { hashesOfKey } from '../src/licensing/licenses/key.ts'
import { presentLicense } from '../src/licensing/licenses/schema.ts'
import { findActiveByUid } from '../src/licensing/activation/verify-queries.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'
import { serveBare } from './serve-bare.ts'

/**
 * The reference of a verification: nothing but node:http, our statement, the keyed hash of the key, the decryption
 * of the one that is shown, and JSON.stringify. No checks of arguments, no log, no limits.
 */
const { config, keys } = await benchContext(process.env)
const db = bareReader(databaseOptions(config))

const INSTALL = /^\/v1\/products\/[0-9]+\/installs\/([0-9]+)\/license\.json\?uid=([^&]+)&license_key=(.+)$/

async function answer(id: number, uid: string, key: string): Promise<object | null> {
  const [license] = await findActiveByUid(db, { id, uid })
  return license && hashesOfKey(key, keys).includes(license.key_hash) ? presentLicense(license, keys) : null
}

await serveBare(async ({ url = '' }) => {
  const [, id = '0', uid = '', key = ''] = INSTALL.exec(url) ?? []
  const license = await answer(Number(id), uid, key)
  return { status: license ? 200 : 404, body: JSON.stringify(license ?? {}) }
})
