import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asUser } from '../../../test/callers.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { keysOf } from '../../../test/installs.ts'
import { licenseOf, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { OPT_IN, optInByServer, optInForm, postForm } from '../../../test/opt-in.ts'
import { transaction } from '../../context.ts'
import { confirmActivation } from '../activation/confirm-activation.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('confirmed_opt_in')
  await confirmOptIns(true)
})
after(() => app.close())

const base = () => `/products/${app.seller.product.id}`

async function confirmOptIns(isOn: boolean): Promise<void> {
  const body = { setting_type: 1, data: JSON.stringify({ confirms_opt_in: isOn }) }
  const { status, text } = await app.call('PUT', `${base()}/settings.json`, { body })
  assert.equal(status, 200, text)
}

let people = 0
const newAddress = () => `asked${++people}@example.com`
const open = (path: string, method = 'GET') => fetch(app.address + path, { method, redirect: 'manual' })

async function linksTo(email: string): Promise<string[]> {
  const mails = (await mailsTo(app, email)).filter(({ kind }) => kind === 'pending_activation')
  return mails.map(({ text }) => /http:\/\/keywright\.test(\/confirm-activation\/\S+)/.exec(text)?.[1] ?? '')
}

const personOf = (email: string) =>
  app.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const installsAt = (uid: string) =>
  app.ctx.db.selectFrom('installs').selectAll().where('uid', '=', uid).execute()
const confirm = async (email: string) => open((await linksTo(email)).at(-1) ?? '', 'POST')

test('S12: an opt-in with a known address and one with an unknown address are answered the same, and both are mailed', async () => {
  const known = newAddress()
  await userOf(app, known)
  const unknown = newAddress()
  const offer = await offerFor(app, 1, { plan: { trial_period: 7 } })
  const orphan = await licenseOf(app, 5)
  const ways = [
    {},
    { trial_plan_id: String(offer.planId) },
    { license_key: orphan.secret_key },
    { 'uninstall_params[reason_id]': '5' },
  ]
  for (const way of ways) {
    const seen = async (email: string) => {
      const redirected = await postForm(app, OPT_IN, optInForm(app, email, way))
      const answered = await optInByServer(app, optInForm(app, email, way))
      assert.deepEqual(answered.json, { pending_activation: true, email, support_email_address: null })
      const texts = [redirected.status, redirected.location, answered.status, answered.text]
      return texts.join(' ').replaceAll(encodeURIComponent(email), '').replaceAll(email, '')
    }
    assert.equal(await seen(known), await seen(unknown), JSON.stringify(way))
  }
  assert.equal(await personOf(unknown), undefined)
  const [toKnown, toUnknown] = [await linksTo(known), await linksTo(unknown)]
  assert.deepEqual([toKnown.length, toUnknown.length], [3, 3], 'three an hour from one caller')
})

test('an opt-in that waits for its link is told where the seller is asked: at the product, else at the store, else nowhere', async () => {
  const { product, store } = app.seller
  const call = await asDeveloper(app)
  const put = async (path: string, support: string) => {
    const { status, text } = await call('PUT', `${path}/emails/addresses.json`, { support })
    assert.ok(status === 200 || status === 204, text)
  }
  const told = async () => {
    const { json } = await optInByServer(app, optInForm(app, newAddress()))
    const { location } = await postForm(app, OPT_IN, optInForm(app, newAddress()))
    const given = new URL(location ?? '').searchParams.get('support_email_address')
    assert.deepEqual([json.pending_activation, 'support_email_address' in json], [true, true])
    assert.equal(given, json.support_email_address)
    return given
  }
  assert.equal(await told(), null)
  await put(`/stores/${store.id}`, 'store@example.com')
  assert.equal(await told(), 'store@example.com')
  await put(`/products/${product.id}`, 'product@example.com')
  assert.equal(await told(), 'product@example.com')
})

test('who follows the link becomes a user with a proven address, its site gets keys of whole reach', async () => {
  const email = newAddress()
  const form = optInForm(app, email)
  await postForm(app, OPT_IN, form)
  const [path = ''] = await linksTo(email)
  const page = await open(path)
  assert.match(await page.text(), new RegExp(`site\\.example\\.org asks to be connected with ${email}`))
  assert.equal(await personOf(email), undefined)
  const done = await open(path, 'POST')
  assert.equal(done.status, 303)
  const given = Object.fromEntries(new URL(done.headers.get('location') ?? '').searchParams)
  const person = await personOf(email)
  assert.deepEqual(
    [person?.first, person?.is_verified, String(person?.id)],
    ['Olive', true, given['user_id']],
  )
  const [install] = await installsAt(form['site_uid'] ?? '')
  assert.equal(String(install?.id), given['install_id'])
  const keys = keysOf({
    id: given['user_id'] ?? '',
    public_key: given['user_public_key'] ?? '',
    secret_key: given['user_secret_key'] ?? '',
  })
  assert.equal((await asUser(app, keys)('GET', '.json')).json.email, email)
  assert.equal((await open(path, 'POST')).status, 404)
})

test('who asks chooses no text of the mail to an address that nobody has', async () => {
  const email = newAddress()
  // A name of one word is none that a greeting would leave out.
  for (const bait of ['Lucky Winner', 'Jackpot']) {
    const form = { site_url: '', return_url: '', site_name: bait, user_firstname: bait }
    assert.equal((await optInByServer(app, optInForm(app, email, form))).status, 200)
  }
  const mails = (await mailsTo(app, email)).filter(({ kind }) => kind === 'pending_activation')
  assert.equal(mails.length, 2)
  for (const { subject, text, html } of mails)
    assert.doesNotMatch(`${subject} ${text} ${html}`, /Lucky|Winner|Jackpot/)
})

test('of two links to one address the first makes the person, the second connects its site with the same', async () => {
  const email = newAddress()
  const forms = [optInForm(app, email), optInForm(app, email.toUpperCase())]
  for (const form of forms) await optInByServer(app, form)
  const links = [...(await linksTo(email)), ...(await linksTo(email.toUpperCase()))]
  const replies = await Promise.all(links.map((path) => open(path, 'POST')))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 303],
  )
  const people = await app.ctx.db.selectFrom('users').select('id').where('email_folded', '=', email).execute()
  assert.equal(people.length, 1)
  for (const form of forms) {
    const [install] = await installsAt(form['site_uid'] ?? '')
    assert.equal(install?.user_id, people[0]?.id)
  }
})

test('an address that somebody got meanwhile is theirs, and proven by the link', async () => {
  const email = newAddress()
  await optInByServer(app, optInForm(app, email))
  const id = await userOf(app, email)
  assert.equal((await confirm(email)).status, 303)
  const person = await personOf(email)
  assert.deepEqual([String(person?.id), person?.is_verified], [id, true])
})

test('a license of nobody becomes the property of whom the link was mailed to', async () => {
  const email = newAddress()
  const license = await licenseOf(app)
  const { json } = await optInByServer(app, optInForm(app, email, { license_key: license.secret_key }))
  assert.equal(json.pending_activation, true)
  const ownerOf = async () =>
    (
      await app.ctx.db
        .selectFrom('licenses')
        .select('user_id')
        .where('id', '=', Number(license.id))
        .executeTakeFirstOrThrow()
    ).user_id
  assert.equal(await ownerOf(), null)
  assert.equal((await confirm(email)).status, 303)
  assert.equal(await ownerOf(), (await personOf(email))?.id)
})

test('twenty opt-ins of an unknown address at once send three mails and are answered alike', async () => {
  const email = newAddress()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => optInByServer(app, optInForm(app, email))),
  )
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal((await linksTo(email)).length, 3)
  app.ctx.clock.advance(HOUR)
  await optInByServer(app, optInForm(app, email))
  assert.equal((await linksTo(email)).length, 4)
})

test('a confirmation by somebody new that is cut at any statement leaves nothing, or everything', async () => {
  const email = newAddress()
  const form = optInForm(app, email)
  await optInByServer(app, form)
  const [path = ''] = await linksTo(email)
  const token = path.split('/').at(-1) ?? ''
  for (let n = 1, isDead = true; isDead; n++) {
    const dying = dyingProcess(app, n)
    const from = { ip: '192.0.2.1', requestId: 'cut' }
    await transaction(dying.ctx, (tx) => confirmActivation(tx, token, from)).catch(() => {})
    isDead = dying.isDead()
    await dying.close()
    const isDone = (await installsAt(form['site_uid'] ?? '')).length === 1
    assert.equal((await personOf(email)) !== undefined, isDone, `cut before statement ${n}`)
    assert.equal((await open(path)).status, isDone ? 404 : 200)
    if (isDone) return
  }
  assert.fail('it is never done')
})

test('a product asks for confirmation from its birth; one that does not connects an unknown address at once', async () => {
  const developer = await asDeveloper(app)
  const made = await developer('POST', '/plugins.json', { title: 'Born to ask' })
  assert.equal(made.status, 200, made.text)
  const { json } = await developer('GET', `/products/${made.json.id}/settings.json`)
  assert.equal(JSON.parse(json.settings[0].data).confirms_opt_in, true)
  await confirmOptIns(false)
  const { json: connected } = await optInByServer(app, optInForm(app, newAddress()))
  assert.match(connected.user_secret_key, /^sk_/)
  await confirmOptIns(true)
})
