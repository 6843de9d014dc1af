import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { streamOf } from '../../../test/event-stream.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { hashToken } from '../../lib/credentials.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import { revokeApiToken } from '../../accounts/developers/developer-rows.ts'

let app: TestApp
let rival: Seller
before(async () => {
  app = await startTestApp('stream_readers')
  rival = await app.write((tx) => createSeller(tx, 'rival@example.com'))
})
after(() => app.close())

interface Opened {
  readonly status: number
  readonly hasEnded: () => boolean
  /** Whether the server broke it off in the middle. */
  readonly isBroken: () => boolean
  readonly ended: Promise<void>
  close(): Promise<void>
}

async function open(authorization: string, url: string): Promise<Opened> {
  const closing = new AbortController()
  const response = await fetch(url, { headers: { authorization }, signal: closing.signal })
  let hasEnded = false
  let isBroken = false
  const ended = (async () => {
    for await (const _ of response.body ?? []);
  })()
    .catch(() => void (isBroken = !closing.signal.aborted))
    .then(() => void (hasEnded = true))
  const close = () => (closing.abort(), ended)
  return { status: response.status, hasEnded: () => hasEnded, isBroken: () => isBroken, ended, close }
}

const ofProduct = ({ product }: Seller) => streamOf(app).replace(/products\/\d+/, `products/${product.id}`)
const bearer = (token: string) => `Bearer ${token}`

const issue = (name: string) =>
  app.write((tx) => issueApiToken(tx, { productId: app.seller.product.id, name, expiresAt: null }))

test('who may read no longer is let go within seconds: a revoked token, an access token that has ended', async () => {
  const { id: developerId } = app.seller.developer
  const { id, token } = await issue('to be revoked')
  const { access } = await app.write((tx) => issueAccessToken(tx, { developerId, userId: null }))
  const ofDeveloper = streamOf(app).replace('/v1/', `/v1/developers/${developerId}/`)
  const [revoked, expired, good] = await Promise.all([
    open(bearer(token), streamOf(app)),
    open(`FSA ${developerId}:${access}`, ofDeveloper),
    open(bearer(app.seller.product.token), streamOf(app)),
  ])
  assert.deepEqual([revoked.status, expired.status, good.status], [200, 200, 200])
  const now = app.ctx.clock.now()
  await app.write(async ({ db }) => {
    await revokeApiToken(db, id, now)
    await db
      .updateTable('access_tokens')
      .set({ expires_at: now })
      .where('token_hash', '=', hashToken(access))
      .execute()
  })
  const late = AbortSignal.timeout(4_000)
  const tooLate = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
  await Promise.race([Promise.all([revoked.ended, expired.ended]), tooLate])
  assert.deepEqual([revoked.hasEnded(), expired.hasEnded(), good.hasEnded()], [true, true, false])
  assert.deepEqual([revoked.isBroken(), expired.isBroken()], [false, false])
  await Promise.all([revoked, expired, good].map((one) => one.close()))
})

test('a credential opens 20 streams, a developer 50; another developer has its own', async () => {
  const tokens = await Promise.all(['one', 'two', 'three'].map(issue))
  const [one = '', two = '', three = ''] = tokens.map(({ token }) => bearer(token))
  const opened: Opened[] = []
  const times = async (count: number, authorization: string) => {
    const more = await Promise.all(Array.from({ length: count }, () => open(authorization, streamOf(app))))
    opened.push(...more)
    return more.filter(({ status }) => status === 200).length
  }
  assert.deepEqual([await times(21, one), await times(21, two), await times(11, three)], [20, 20, 10])
  const other = await open(bearer(rival.product.token), ofProduct(rival))
  assert.equal(other.status, 200)
  await Promise.all([...opened, other].map((stream) => stream.close()))
})
