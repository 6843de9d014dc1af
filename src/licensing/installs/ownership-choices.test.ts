import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { systemScope } from '../../access/scope.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { createInstall } from './create.ts'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, holding, newUid } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { callElsewhere, mailsTo } from '../../../test/mails.ts'
import { TEST_SECRET } from '../../../test/secret.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('ownership_choices')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const newAddress = () => `${newUid()}@example.com`
const ownerOf = async (id: string): Promise<string> =>
  expectOk(await app.call('GET', path(`/installs/${id}.json`))).json.user_id

/** The newest link that was mailed to an address, with its salt and token. */
async function linkTo(email: string) {
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind.startsWith('ownership_change'))
  const [, link = ''] = /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(mail?.text ?? '') ?? []
  const [salt = '', token = ''] = (link.split('/').at(-1) ?? '').split('.')
  return { salt, token, link }
}

/** A person with three sites; the seller's own code asks for another owner of the first, and agrees by tokens. */
async function asked(body: object = {}) {
  await callElsewhere(app)
  const owner = await createOwner(app, newAddress())
  const sites = [
    await createInstallOf(app, owner, { url: 'https://one.example' }),
    await createInstallOf(app, owner, { url: 'https://two.example' }),
    await createInstallOf(app, owner, { url: 'https://three.example' }),
  ] as const
  const [first, second, third] = sites
  const email = newAddress()
  const put = (rest: string, input: object) =>
    app.call('PUT', path(`/installs/${first.id}/users/${owner.id}${rest}.json`), { body: input })
  expectOk(await put('', { email, ...body }))
  const [ofOwner, ofNext] = [await linkTo(owner.email), await linkTo(email)]
  const owns = { token_salt: ofOwner.salt, email: owner.email, owner_token: ofOwner.token }
  const next = { token_salt: ofNext.salt, email, candidate_token: ofNext.token }
  const agree = (side: object, more: object, headers = {}) => {
    const body = { ...side, ...more }
    return app.call('PUT', path(`/installs/${first.id}/users/${owner.id}/ownership-change.json`), {
      body,
      headers,
    })
  }
  return {
    email,
    second: second.id,
    third: third.id,
    asOwner: (more: object = {}, headers = {}) => agree(owns, more, headers),
    asNext: (more: object = {}) => agree(next, more),
    page: async () => (await fetch(app.address + ofNext.link)).text(),
    /** Presses the button of a page that was opened before. */
    press: async (page: string, at = app.address) => {
      const [, shown = ''] = /name="shown" value="([^"]+)"/.exec(page) ?? []
      const body = new URLSearchParams({ shown })
      const pressed = await fetch(at + ofNext.link, { method: 'POST', body })
      return { status: pressed.status, text: await pressed.text() }
    },
    /** Which of the three sites went to the next owner. */
    gone: async () => {
      const owners = await Promise.all(sites.map(({ id }) => ownerOf(id)))
      return owners.map((one) => one !== String(owner.id))
    },
  }
}

test('the owner names with install_ids which sites go along, until the next owner has agreed', async () => {
  const named = await asked()
  assert.equal((await named.asOwner({ install_ids: named.second })).status, 200)
  assert.match(await named.page(), /one\.example, two\.example:/)
  assert.equal((await named.asNext()).status, 200)
  assert.deepEqual(await named.gone(), [true, true, false])

  const late = await asked()
  assert.equal((await late.asNext()).status, 200)
  assert.equal((await late.asOwner({ install_ids: late.second })).status, 404)
  assert.equal((await late.asOwner()).status, 200)
  assert.deepEqual(await late.gone(), [true, false, false])
})

test('the next owner agrees to the sites that its page has shown, and is shown it again where others go by then', async () => {
  const change = await asked()
  const opened = await change.page()
  assert.equal((await change.asOwner({ install_ids: change.second })).status, 200)
  const again = await change.press(opened)
  assert.equal(again.status, 409)
  assert.match(again.text, /Other installs go by now.*one\.example, two\.example:.*I agree/s)
  assert.deepEqual(await change.gone(), [false, false, false])
  const pressed = await change.press(again.text)
  assert.deepEqual([pressed.status, /Thank you/.test(pressed.text)], [200, true])
  assert.deepEqual(await change.gone(), [true, true, false])
})

test('a page that is open is still good after the secret is rotated', async (t) => {
  const change = await asked()
  const opened = await change.page()
  const keys = Keyring.of('the secret that came after, 32 characters long', [TEST_SECRET])
  const server = await startServer({ ...app.ctx, keys })
  t.after(() => server.stop())
  const { status, text } = await change.press(opened, server.address)
  assert.deepEqual([status, /Thank you/.test(text)], [200, true])
})

test('either side leaves out sites with install_ids, and nobody adds one for the owner or of somebody else', async () => {
  const fewer = await asked({ transfer_type: 'all' })
  assert.equal((await fewer.asOwner({ install_ids: [fewer.second] })).status, 200)
  assert.equal((await fewer.asNext({ install_ids: fewer.third })).status, 404)
  assert.equal((await fewer.asNext({ install_ids: '' })).status, 200)
  assert.deepEqual(await fewer.gone(), [true, false, false])

  const foreign = await createInstallOf(app, await createOwner(app))
  const one = await asked()
  assert.equal((await one.asOwner({ install_ids: foreign.id })).status, 404)
  assert.deepEqual(
    (await one.asOwner({ install_ids: '1,1' })).json.error.details.map(
      (each: { field: string }) => each.field,
    ),
    ['install_ids'],
  )
  assert.equal((await one.asNext({ install_ids: one.second })).status, 404)
  assert.equal((await one.asOwner()).status, 200)
  assert.equal((await one.asOwner({ install_ids: one.second })).status, 404, 'who has agreed adds nothing')
  assert.equal((await one.asNext()).status, 200)
  assert.deepEqual(await one.gone(), [true, false, false])
})

test('transfer_type merge or all gives every site of the owner away, asked for or agreed to', async () => {
  for (const all of ['merge', 'all']) {
    const start = await asked({ transfer_type: all })
    assert.match(await start.page(), /one\.example, two\.example, three\.example:/)
    const later = await asked({ transfer_type: 'transfer_to_client' })
    assert.doesNotMatch(await later.page(), /two\.example/)
    assert.equal((await later.asOwner({ transfer_type: all })).status, 200)
    const one = await asked()
    assert.equal((await one.asNext({ transfer_type: all })).status, 200, 'it says nothing of the next owner')
    for (const [change, moved] of [
      [start, true],
      [later, true],
      [one, false],
    ] as const) {
      await change.asOwner()
      await change.asNext({ transfer_type: all })
      assert.deepEqual(await change.gone(), [true, moved, moved], all)
    }
  }
})

test('transfer_type all by the keys of a site is all that these reach, as is what install_ids names', async () => {
  const owner = await createOwner(app, newAddress())
  const license = () => licenseOf(app, 5, { body: { email: owner.email } })
  const main = await clientsOf(app).active(await license(), { url: 'https://main.example' })
  const { json } = await clientsOf(app).active(await license(), { url: 'https://key.example' })
  const email = newAddress()
  const body = { email, transfer_type: 'all' }
  const { install } = holding(app, json)
  expectOk(await install('PUT', `/users/${owner.id}.json`, body))
  const { salt, token } = await linkTo(owner.email)
  const refused = await install('PUT', `/users/${owner.id}/ownership-change.json`, {
    token_salt: salt,
    email: owner.email,
    owner_token: token,
    install_ids: main.json['install_id'],
  })
  assert.equal(refused.status, 404)
  for (const to of [owner.email, email]) {
    const { status } = await fetch(app.address + (await linkTo(to)).link, { method: 'POST' })
    assert.equal(status, 200)
  }
  assert.notEqual(await ownerOf(json['install_id'] ?? ''), String(owner.id))
  assert.equal(await ownerOf(main.json['install_id'] ?? ''), String(owner.id))
})

test('transfer_type all is for 200 other installs at most', async () => {
  const owner = await createOwner(app, newAddress())
  const first = await createInstallOf(app, owner)
  const more = (count: number) =>
    app.write(async (tx) => {
      const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
      for (let n = 0; n < count; n++) await createInstall(tx, scope, { user_id: owner.id, uid: newUid() })
    })
  const ask = () =>
    app.call('PUT', path(`/installs/${first.id}/users/${owner.id}.json`), {
      body: { email: newAddress(), transfer_type: 'all' },
    })
  await more(200)
  assert.equal((await ask()).status, 200)
  await more(1)
  const { status, json } = await ask()
  assert.deepEqual([status, json.error.details[0].field], [400, 'transfer_type'])
})

test('who agrees is led to after_confirm_url: the site or a listed host, and nowhere else', async () => {
  const change = await asked()
  for (const url of ['https://evil.example', 'https://one.example.evil.example/', 'javascript:x']) {
    const { status, json, headers } = await change.asOwner({ after_confirm_url: url })
    assert.deepEqual([status, json.error.details[0].field], [400, 'after_confirm_url'])
    assert.equal(headers.get('location'), null)
  }
  const url = 'https://one.example/wp-admin?page=account'
  const owner = await change.asOwner({ after_confirm_url: url })
  const query = new URLSearchParams({ state: 'owner_confirmed', candidate_email: change.email })
  assert.deepEqual([owner.status, owner.headers.get('location'), owner.text], [303, `${url}&${query}`, ''])
  const listed = 'https://shop.example.com/%E3%83%91%E3%82%B9'
  const next = await change.asNext({ after_confirm_url: 'https://shop.example.com/パス' })
  assert.deepEqual([next.status, next.headers.get('location')], [303, `${listed}?state=candidate_confirmed`])
  assert.deepEqual(await change.gone(), [true, false, false])
})

test('the same Idempotency-Key leads to the same address again, which is stored sealed', async () => {
  const change = await asked()
  const agree = () =>
    change.asOwner(
      { after_confirm_url: 'https://one.example/wp-admin?sealed=1' },
      { 'idempotency-key': 'an agreement that was sent twice' },
    )
  const [first, again] = [await agree(), await agree()]
  assert.equal(first.status, 303)
  assert.deepEqual(
    [again.status, again.headers.get('location'), again.text, again.headers.get('idempotent-replayed')],
    [303, first.headers.get('location'), '', 'true'],
  )
  const stored = await app.ctx.db.selectFrom('idempotency_keys').select(['status', 'reply']).execute()
  assert.deepEqual([stored.length, stored[0]?.status], [1, 303])
  assert.ok(!JSON.stringify(stored).includes('one.example'))
})
