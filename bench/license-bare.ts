import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { databaseOptions } from '../src/open.ts'
import { hashesOfKey } from '../src/licensing/licenses/key.ts'
import { presentLicense } from '../src/licensing/licenses/schema.ts'
import { findActiveByUid } from '../src/licensing/activation/verify-queries.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'

/**
 * The reference of a verification: nothing but node:http, our statement, the keyed hash of the key, the decryption
 * of the one that is shown, and JSON.stringify. No checks of arguments, no log, no limits.
 */
const { config, keys } = await benchContext(process.env)
const db = bareReader(databaseOptions(config))

const INSTALL = /^\/v1\/products\/[0-9]+\/installs\/([0-9]+)\/license\.json\?uid=([^&]+)&license_key=(.+)$/

const server = createServer((request, response) => {
  const [, id = '0', uid = '', key = ''] = INSTALL.exec(request.url ?? '') ?? []
  answer(Number(id), uid, key).then(
    (body) => {
      const text = JSON.stringify(body ?? {})
      response.writeHead(body ? 200 : 404, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function answer(id: number, uid: string, key: string): Promise<object | null> {
  const [license] = await findActiveByUid(db, { id, uid })
  return license && hashesOfKey(key, keys).includes(license.key_hash) ? presentLicense(license, keys) : null
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
