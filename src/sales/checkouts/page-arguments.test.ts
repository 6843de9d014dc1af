import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { createInstallOf, createOwner, keysIn, keysOf } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { codeOf } from '../../../test/trials.ts'
import type { Keys } from '../../catalogue/sellers/create-seller.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { runDue } from '../../jobs/worker.ts'
import { paymentMethodLink } from './license-links.ts'
import { recoverCarts } from '../carts/recover-carts-job.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_page_arguments')
  shop = await changeShop(app)
})
after(() => app.close())

const write = async (data: object) => {
  const body = { setting_type: 7, data: JSON.stringify(data) }
  const { status, text } = await app.call('PUT', `${shop.base}/settings.json`, { body })
  assert.equal(status, 200, text)
}

let people = 0
const someone = () => ({
  user_email: `reader${++people}@example.com`,
  user_firstname: 'Rea',
  country_code: 'us',
  plan_id: shop.plans.basic,
})

const opened = async (body: object = {}) => {
  const { status, json, text } = await shop.open({ ...shop.sandbox(), ...body })
  assert.equal(status, 201, text)
  return json
}

test('a buyer is mailed in the language of the page, unless a site of theirs says another one', async () => {
  const german = someone()
  const session = await opened({ ...german, language: 'de_DE' })
  assert.deepEqual([session.language, session.languages], ['de_DE', ['en', 'de']])
  await shop.pay(session.id)
  const mails = await mailsTo(app, german.user_email)
  assert.deepEqual(
    mails.map(({ kind, text }) => [kind, /^Guten Tag/m.test(text)]),
    [
      ['license', true],
      ['receipt', true],
    ],
  )
  const owner = await createOwner(app)
  await createInstallOf(app, owner, { language: 'en_US' })
  const { email } = (await app.call('GET', `${shop.base}/users/${owner.id}.json`)).json
  await shop.pay((await opened({ ...someone(), user_email: email, locale: 'de', environment: 1 })).id)
  const [, mailed] = await mailsTo(app, email)
  assert.match(mailed?.text ?? '', /^Hello/m)
})

test('locale is another name of language and counts, a change of it is kept, and auto is none', async () => {
  const session = await opened({ language: 'fr', locale: 'de-AT' })
  assert.equal(session.language, 'de-AT')
  const change = async (body: object) => (await shop.call('PUT', `/${session.id}.json`, body)).json.language
  assert.equal(await change({ language: 'it' }), 'it')
  assert.equal(await change({ plan_id: shop.plans.pro }), 'it')
  assert.equal(await change({ locale: 'auto-beta' }), null)
  assert.equal((await opened({ language: 'auto' })).language, null)
})

test('a trial and the change of a license are mailed in that language too', async () => {
  await app.write((tx) => tx.db.updateTable('plans').set({ trial_period: 7 }).execute())
  const who = someone()
  const session = await opened({ ...who, is_trial: true, language: 'de' })
  assert.deepEqual([session.action, session.trial], ['trial', 'free'])
  await shop.pay(session.id, null)
  assert.match((await mailsTo(app, who.user_email))[0]?.text ?? '', /^Guten Tag/m)
  const { id, email } = await shop.buy()
  const change = await shop.openFor(id, { plan_id: shop.plans.pro, locale: 'de' })
  await shop.pay(change.json.id)
  const told = (await mailsTo(app, email)).slice(2)
  assert.deepEqual(
    told.map(({ kind, text }) => [kind, /^Guten Tag/m.test(text)]),
    [
      ['license', true],
      ['receipt', true],
    ],
  )
  assert.equal((await opened({ is_trial: false })).action, 'purchase')
})

/** The address of the mail about a cart that was left. */
async function mailedAbout(email: string): Promise<URL> {
  const { pricing_id: pricing } = await opened({ plan_id: shop.plans.basic })
  await visit(app, { email, first: 'Ann', plan_id: Number(shop.plans.basic), pricing_id: Number(pricing) })
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [recoverCarts])
  const [{ text = '' } = {}] = await mailsTo(app, email)
  return new URL(/https?:\/\/\S+__fs\S+/.exec(text)?.[0] ?? '')
}

test('mails about a cart lead to recovery_url, as the overlay client reads it, and a checkout takes what that brings', async () => {
  await write({ recovery_url: 'https://shop.example/buy?from=mail' })
  const email = 'left@example.com'
  const link = await mailedAbout(email)
  assert.equal(link.origin + link.pathname, 'https://shop.example/buy')
  const { from, __fs_authorization, __fs_auth_date, __fs_expires_in, ...product } = Object.fromEntries(
    link.searchParams,
  )
  assert.deepEqual(product, {
    __fs_plugin_id: String(app.seller.product.id),
    __fs_plugin_public_key: app.seller.product.publicKey,
  })
  assert.deepEqual([from, __fs_expires_in], ['mail', '31536000'])
  assert.match(__fs_authorization ?? '', new RegExp(`^FSE ${app.seller.product.id}:`))
  const given = { __fs_authorization, __fs_auth_date, __fs_expires_in }
  assert.equal((await shop.open(given)).json.buyer.email, email)
  const [, bare] = __fs_authorization?.split(':') ?? []
  assert.equal((await shop.open({ __fs_authorization: bare })).json.buyer.email, email)
  assert.deepEqual(codeOf(await shop.open({ ...given, __fs_authorization: 'FSE 1:no' })), [
    400,
    'invalid_cart_token',
  ])
  const old = { ...given, __fs_auth_date: toUtcTime(app.ctx.clock.real() - DAY), __fs_expires_in: '60' }
  assert.deepEqual(codeOf(await shop.open(old)), [400, 'invalid_cart_token'])
  await write({ recovery_url: null })
})

test('mails about a renewal that failed lead there too, with what replaces the method of payment', async () => {
  const { id } = await shop.buy()
  const link = async () => {
    const of = {
      license_id: Number(id),
      product_id: app.seller.product.id,
      plan_id: Number(shop.plans.basic),
    }
    return new URL(await paymentMethodLink(app.ctx, of))
  }
  assert.match((await link()).pathname, /^\/checkout\/product\//)
  await write({ recovery_url: 'https://shop.example/buy' })
  const { _fs_authorization: authorization, ...told } = Object.fromEntries((await link()).searchParams)
  assert.deepEqual(told, {
    _fs_dunning: '1',
    _fs_product_id: String(app.seller.product.id),
    _fs_is_payment_method_update: '1',
    _fs_license_id: id,
    _fs_plan_id: shop.plans.basic,
  })
  const opened = await shop.open({ license_id: id, authorization, is_payment_method_update: true })
  assert.equal(opened.json.action, 'payment_method_update')
  await write({ recovery_url: null })
})

/** What the page of a checkout says of the user that it is shown to. */
function contextOf({ id, publicKey, secretKey }: Keys, { agoMs = 0, word = 'checkout' } = {}) {
  const ts = Math.floor((app.ctx.clock.real() - agoMs) / 1000)
  const s_ctx_secure = hash('md5', `${ts}${id}${secretKey}${publicKey}${word}`)
  return { s_ctx_type: 'user', s_ctx_id: String(id), s_ctx_ts: String(ts), s_ctx_secure }
}

/** A user as the seller reads it, with keys that reach everything of theirs. */
async function aUser() {
  const { id } = await createOwner(app)
  const { json: user } = await app.call('GET', `${shop.base}/users/${id}.json`)
  return { user, email: user.email as string }
}

test('whose keys reach the whole of a user is the buyer; of the checkouts of one proof one is paid', async () => {
  const { user, email } = await aUser()
  const proof = contextOf(keysOf(user))
  const body = { ...shop.sandbox(), ...proof, country_code: 'us' }
  const first = await shop.open({ ...body, plan_id: shop.plans.basic })
  const second = await shop.open({ ...body, plan_id: shop.plans.pro })
  assert.deepEqual([first.json.buyer.email, first.json.buyer.is_readonly], [email, true])
  assert.equal((await shop.pay(first.json.id)).json.user.id, user.id)
  assert.deepEqual(codeOf(await shop.pay(second.json.id)), [400, 'invalid_user_token'])
})

test('a wrong or old proof of a user, and keys of own reach, name no buyer', async () => {
  const keys = keysOf((await aUser()).user)
  const buyerOf = async (body: object) => (await shop.open(body)).json.buyer
  for (const body of [
    { ...contextOf(keys), s_ctx_secure: 'wrong' },
    contextOf(keys, { word: 'upgrade' }),
    contextOf(keys, { agoMs: 16 * MINUTE }),
    { ...contextOf(keys), s_ctx_id: '987654321' },
    { ...contextOf(keys), s_ctx_type: 'install' },
    { ...contextOf(keys), s_ctx_ts: '1' },
  ]) {
    assert.deepEqual(await buyerOf(body), { ...(await buyerOf({})) })
  }
  await app.call('PUT', `${shop.base}/settings.json`, {
    body: { setting_type: 1, data: '{"confirms_opt_in":false}' },
  })
  const grant = (await optInByServer(app, optInForm(app, 'own@example.com'))).json
  assert.equal((await buyerOf(contextOf(keysIn(grant, 'user')))).email, '')
})

test('a checkout has with it what a page shows: the form of its gateway, and what the seller says of the product', async () => {
  const address = 'https://shop.example/terms'
  await write({ terms_url: address, privacy_url: `${address}#privacy`, checkout_logo_url: `${address}.png` })
  const { product, payment } = await opened()
  assert.deepEqual(
    [product.terms_url, product.privacy_url, product.icon, product.selling_unit_label],
    [address, `${address}#privacy`, `${address}.png`, { singular: 'Unit', plural: 'Units' }],
  )
  assert.deepEqual([payment.gateway, payment.publishable_key, payment.methods], ['test', null, ['card']])
  assert.deepEqual(payment.tokens[0], { token: 'test_succeeds', does: 'It is paid, and so is each renewal.' })
  assert.equal((await shop.open({})).json.payment, null, 'nothing takes what is live')
  await write({ terms_url: null, privacy_url: null, checkout_logo_url: null })
  assert.equal((await opened()).product.icon, null)
})

test('checkout_redirect_url is where a buyer is led whose checkout names no page, and lists its host', async () => {
  await write({ checkout_redirect_url: 'https://thanks.example/bought?x=1' })
  const paid = await shop.pay((await opened(someone())).id)
  const led = new URL(paid.json.redirect_url)
  assert.equal(led.origin + led.pathname, 'https://thanks.example/bought')
  assert.deepEqual(
    [led.searchParams.get('action'), [...led.searchParams.keys()].at(-1)],
    ['purchase', 'signature'],
  )
  const other = await opened({ ...someone(), redirect_url: 'https://thanks.example/other' })
  assert.match((await shop.pay(other.id)).json.redirect_url, /^https:\/\/thanks\.example\/other\?/)
  const { key } = await shop.buy()
  const hidden = await opened({ license_key: key, plan_id: shop.plans.pro, country_code: 'us' })
  assert.equal((await shop.pay(hidden.id)).json.redirect_url, null, 'its owner is not told')
  await write({ checkout_redirect_url: null })
  assert.equal((await shop.pay((await opened(someone())).id)).json.redirect_url, null)
})
