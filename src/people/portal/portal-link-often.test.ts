// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { licenseOf, mailsOf, userOf } from '../../../test/licenses.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import { mailKeys } from '../../licensing/licenses/mail-keys-job.ts'
import { untilDone } from '../../work/afterwards.ts'

const EMAIL = 'ada@example.com'

let app: TestApp
before(async () => {
  app = await startTestApp('portal_link_often')
  await userOf(app, EMAIL)
  await licenseOf(app, 1, { body: { email: EMAIL } })
})
after(() => app.close())

const ask = (email: string) =>
  app.call('POST', '/portal/link.json', { token: null, body: { email, product_id: app.seller.product.id } })

const mailed = async (kind: 'portal_link' | 'license_keys') => (await mailsOf(app, kind)).length

test('a thousand requests for a link within an hour mail a known address as often as its keys are mailed again, and no other one', async () => {
  const resend = asPublic(app)
  const before = await mailed('portal_link')
  for (let n = 0; n < 20; n++) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => ask(nth % 5 === 4 ? `nobody${nth}@example.com` : EMAIL)),
    )
    assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))], ['202 '])
    await resend('POST', '/licenses/resend.json', { email: EMAIL })
    await untilDone()
    await runDue(app.ctx, [mailKeys])
    app.ctx.clock.advance(3 * MINUTE)
  }
  assert.equal(await mailed('license_keys'), 5)
  assert.equal((await mailed('portal_link')) - before, 5)
  const readers = (await mailsOf(app, 'portal_link')).map(({ recipient }) => recipient)
  assert.deepEqual([...new Set(readers)], [EMAIL])
})

test('an address that nobody has is answered as one that somebody has, to the last header', async () => {
  app.ctx.clock.advance(10 * MINUTE)
  const faceOf = async (email: string) => {
    const { status, text, headers } = await ask(email)
    const said = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
    return { status, text, said }
  }
  const mailedNow = await faceOf(EMAIL)
  await untilDone()
  const [again, nobodys] = [await faceOf(EMAIL), await faceOf('nobody@example.com')]
  assert.deepEqual([again, nobodys], [mailedNow, mailedNow])
})
