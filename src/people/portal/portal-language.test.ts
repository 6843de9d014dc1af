import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import { queueMail } from '../../mail/outbox.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('portal_language')
})
after(() => app.close())

const PATH = '/portal/language.json'

/** What a user is written about something in the first product. */
async function written({ id }: { readonly id: number }, productId = app.seller.product.id): Promise<string> {
  const recipient = `mailed-${id}-${productId}@example.com`
  const of = { developerId: app.seller.developer.id, productId, userId: id, recipient, name: 'Ada' }
  await app.write((tx) => queueMail(tx, { ...of, template: 'license_cancelled', values: { plan: 'Pro' } }))
  return (await mailsTo(app, recipient)).at(-1)?.text ?? ''
}

test('what a user chooses is what pages and mails of every product are in, and no one else is written so', async () => {
  const ada = await createOwner(app)
  const bea = await createOwner(app)
  await createInstallOf(app, ada, { language: 'en-US' })
  const { session, send } = await visit(ada)
  assert.equal((await session()).user.language, null)
  assert.match(await written(ada), /^Hello/)
  assert.equal((await send({ language: 'de' })).status, 204)
  assert.equal((await session()).user.language, 'de')
  assert.match(await written(ada), /^Guten Tag/)
  assert.match(await written(ada, app.seller.other.id), /^Guten Tag/)
  assert.match(await written(bea), /^Hello/)
  assert.equal((await send({ language: null })).status, 204)
  assert.match(await written(ada), /^Hello/)
})

test('a language that pages and mails do not have is refused, and nothing is stored', async () => {
  const { session, send } = await visit(await createOwner(app))
  const { status, json } = await send({ language: 'fr' })
  assert.deepEqual([status, json.error.details[0].field], [400, 'language'])
  assert.equal((await session()).user.language, null)
})

/** A user in the portal: who they are there, and what they choose. */
async function visit(owner: { readonly id: number }) {
  const { cookie } = await inPortal(app, owner)
  const session = async () =>
    expectOk(await app.call('GET', '/portal/session.json', { token: null, headers: { cookie } })).json
  const { csrf_token: csrf } = await session()
  const headers = { cookie, 'x-keywright-csrf': csrf }
  return {
    session,
    send: (body: object) => app.call('PUT', PATH, { token: null, headers, body }),
  }
}
