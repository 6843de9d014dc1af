import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import { createOwner, expectOk } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { DAY, SECOND } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('links_of_owner')
  shop = await changeShop(app)
  await release(app, '1.0.0')
})
after(() => app.close())

const post = (path: string) => fetch(app.address + path, { method: 'POST', redirect: 'manual' })

/** Read to its end, as a download that is left open holds the server when it is closed. */
async function statusOf(link: string): Promise<number> {
  const reply = await fetch(link, { redirect: 'manual' })
  await reply.arrayBuffer()
  return reply.status
}

const linksIn = (text: string) => text.match(/http:\/\/keywright\.test\/\S+/g) ?? []

/** A buyer with a link to the checkout of its license, by the seller and by mail, to the portal and the download. */
async function linked() {
  const sold = await shop.buy()
  const { user_id: userId } = await shop.licenseOf(sold.id)
  await app.call('DELETE', `${shop.base}/subscriptions/${sold.purchase.id}.json`)
  const made = await app.call('POST', `${shop.base}/licenses/${sold.id}/checkout/link.json`, { body: {} })
  const { authorization } = made.json.settings
  expectOk(await app.call('POST', `${shop.base}/licenses/${sold.id}/renewals.json`))
  const texts = (await mailsTo(app, sold.email)).map(({ text }) => text).join('\n')
  const find = (part: string) => linksIn(texts).find((link) => link.includes(part)) ?? assert.fail(part)
  const mailed = new URL(find('/checkout/')).searchParams.get('authorization')
  const others = [find('/portal/login'), find('latest')].map((link) =>
    link.replace('http://keywright.test', app.address),
  )
  return {
    ...sold,
    userId: userId as string,
    /** What each of them answers. */
    async opens() {
      const codes: string[] = []
      for (const one of [authorization, mailed]) {
        const { status, json } = await shop.open({ license_id: sold.id, authorization: one })
        codes.push(status === 201 ? 'ok' : `${status} ${json.error.code}`)
      }
      for (const link of others) codes.push(String(await statusOf(link)))
      return codes
    },
  }
}

/** Gives a user another address; `before` is done while it is not confirmed. */
async function moveTo(userId: string, email: string, before?: () => Promise<void>): Promise<void> {
  expectOk(await app.call('PUT', `${shop.base}/users/${userId}.json`, { body: { email } }))
  await before?.()
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind === 'confirm_email')
  const [link = ''] = linksIn(mail?.text ?? '')
  assert.equal((await post(link.replace('http://keywright.test', ''))).status, 200)
}

const GONE = '400 invalid_authorization'

test('mailed links to checkout, portal and download open nothing after the address of their person has changed', async () => {
  const { userId, opens } = await linked()
  assert.deepEqual(await opens(), ['ok', 'ok', '200', '200'])
  await moveTo(userId, `${newUid()}@example.com`, async () => {
    assert.deepEqual(await opens(), ['ok', 'ok', '200', '200'], 'before the other address is confirmed')
  })
  assert.deepEqual(await opens(), [GONE, GONE, '404', '404'])
})

test('a link to the checkout of a license opens nothing after the license has another owner', async () => {
  const { id, opens } = await linked()
  const next = await createOwner(app, `${newUid()}@example.com`)
  const body = { new_user_id: String(next.id) }
  expectOk(await app.call('PUT', `${shop.base}/licenses/${id}.json`, { body }))
  assert.deepEqual((await opens()).slice(0, 2), [GONE, GONE])
})

test('nor after it has an owner who got the address of the former one', async () => {
  const { id, userId, email, opens } = await linked()
  await moveTo(userId, `${newUid()}@example.com`)
  const next = await createOwner(app, email)
  const body = { new_user_id: String(next.id) }
  expectOk(await app.call('PUT', `${shop.base}/licenses/${id}.json`, { body }))
  assert.deepEqual(await opens(), [GONE, GONE, '404', '404'])
})

test('a mailed link leads into the portal for a day, and to the download for thirty', async () => {
  const { opens } = await linked()
  const after = async (ms: number) => {
    app.ctx.clock.advance(ms)
    return (await opens()).slice(2)
  }
  assert.deepEqual(await after(DAY - SECOND), ['200', '200'])
  assert.deepEqual(await after(SECOND), ['404', '200'])
  assert.deepEqual(await after(29 * DAY - SECOND), ['404', '200'])
  assert.deepEqual(await after(SECOND), ['404', '404'])
})
