import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { OPT_IN, optInByServer, optInForm, postForm } from '../../../test/opt-in.ts'
import { transaction } from '../../context.ts'
import { confirmActivation } from '../activation/confirm-activation.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('confirm_activation')
})
after(() => app.close())

let people = 0
const newAddress = () => `known${++people}@example.com`
const product = () => `/products/${app.seller.product.id}`
const open = (path: string, method = 'GET') => fetch(app.address + path, { method, redirect: 'manual' })

/** The links that were mailed to an address, as paths. */
async function linksTo(email: string): Promise<string[]> {
  const mails = (await mailsTo(app, email)).filter(({ kind }) => kind === 'pending_activation')
  return mails.map(({ text }) => /http:\/\/keywright\.test(\/confirm-activation\/\S+)/.exec(text)?.[1] ?? '')
}

async function knownUser(): Promise<{ email: string; id: string; secret: string; publicKey: string }> {
  const email = newAddress()
  const id = await userOf(app, email)
  const { json } = await app.call('GET', `${product()}/users/${id}.json`)
  return { email, id, secret: json.secret_key, publicKey: json.public_key }
}

const installsOf = async (id: string) =>
  await app.ctx.db
    .selectFrom('installs')
    .select(['id', 'uid', 'license_id'])
    .where('user_id', '=', Number(id))
    .execute()
const ownerOf = async (licenseId: string) =>
  (
    await app.ctx.db
      .selectFrom('licenses')
      .select('user_id')
      .where('id', '=', Number(licenseId))
      .executeTakeFirstOrThrow()
  ).user_id

test('an opt-in with a known address gets no keys; the person is mailed a link, whose page says who asks', async () => {
  const { email, id, secret } = await knownUser()
  const form = optInForm(app, email.toUpperCase())
  const redirected = await postForm(app, OPT_IN, form)
  assert.equal(redirected.status, 302)
  const answered = await optInByServer(app, optInForm(app, email))
  assert.deepEqual(answered.json, { pending_activation: true, email, support_email_address: null })
  for (const text of [redirected.location ?? '', redirected.text, answered.text]) {
    assert.ok(!/sk_|pk_|secret/.test(text) && !text.includes(secret))
  }
  const given = Object.fromEntries(new URL(redirected.location ?? '').searchParams)
  assert.deepEqual([given['pending_activation'], given['user_email']], ['1', email.toUpperCase()])
  assert.deepEqual(await installsOf(id), [])
  const [path = ''] = await linksTo(email)
  assert.match(await (await open(path)).text(), /First product on site\.example\.org asks/i)
})

test('who asks chooses no text of the mail', async () => {
  const { email } = await knownUser()
  const bait = 'You have won'
  const host = 'your-card-was-charged-799-usd.to-cancel-visit.evil.example'
  const form = {
    site_url: `https://www.${host}`,
    return_url: '',
    site_name: bait,
    user_firstname: bait,
    site_uid: bait.padEnd(32, '!'),
  }
  assert.equal((await optInByServer(app, optInForm(app, email, form))).json.pending_activation, true)
  const [mail] = (await mailsTo(app, email)).filter(({ kind }) => kind === 'pending_activation')
  assert.ok(mail)
  for (const typed of [bait, host, 'charged', 'evil']) {
    assert.ok(!`${mail.subject} ${mail.text} ${mail.html}`.includes(typed), typed)
  }
  const [path = ''] = await linksTo(email)
  assert.ok((await (await open(path)).text()).includes(host), 'the page behind the link names the host')
})

test("a known person of another product of the account is protected too, and of another account's not concerned", async () => {
  const email = newAddress()
  const id = await userOf(app, email, app.seller.other)
  const { json } = await optInByServer(app, optInForm(app, email))
  assert.equal(json.pending_activation, true)
  const linked = await app.ctx.db
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', Number(id))
    .execute()
  assert.deepEqual(
    linked.map(({ product_id: productId }) => productId),
    [app.seller.other.id],
  )
  const [path = ''] = await linksTo(email)
  assert.equal((await open(path, 'POST')).status, 303)
  assert.equal((await installsOf(id)).length, 1)
})

test('opening the link changes nothing; the button connects the site and leads there with the keys', async () => {
  const { email, id } = await knownUser()
  const form = optInForm(app, email)
  await postForm(app, OPT_IN, form)
  const [path = ''] = await linksTo(email)
  for (let times = 0; times < 3; times++) {
    const page = await open(path)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Connect site\.example\.org/)
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/site\.example\.org;/,
    )
  }
  assert.deepEqual(await installsOf(id), [])
  const done = await open(path, 'POST')
  assert.equal(done.status, 303)
  const url = new URL(done.headers.get('location') ?? '')
  assert.equal(url.host, 'site.example.org')
  const given = keysOf({
    id,
    public_key: url.searchParams.get('user_public_key') ?? '',
    secret_key: url.searchParams.get('user_secret_key') ?? '',
  })
  assert.equal((await asUser(app, given)('GET', '.json')).json.email, email)
  const [install] = await installsOf(id)
  assert.equal(url.searchParams.get('install_id'), String(install?.id))
  assert.equal(install?.uid, form['site_uid'])
  const { json } = await app.call('GET', `${product()}/users/${id}.json`)
  assert.equal(json.is_verified, true)
})

test('a link works once, also when it is used ten times at once, and for 24 hours', async () => {
  const { email, id } = await knownUser()
  await optInByServer(app, optInForm(app, email))
  const [path = ''] = await linksTo(email)
  const replies = await Promise.all(Array.from({ length: 10 }, () => open(path, 'POST')))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, ...Array<number>(9).fill(404)])
  assert.equal((await installsOf(id)).length, 1)
  await optInByServer(app, optInForm(app, email))
  const late = (await linksTo(email)).at(-1) ?? ''
  app.ctx.clock.advance(DAY - SECOND)
  assert.equal((await open(late)).status, 200)
  app.ctx.clock.advance(SECOND)
  assert.deepEqual([(await open(late)).status, (await open(late, 'POST')).status], [404, 404])
  assert.equal((await open('/confirm-activation/unknown')).status, 404)
})

test('a stranger can have three mails an hour sent to a person, and is told no difference', async () => {
  const { email } = await knownUser()
  const replies = await Promise.all(
    Array.from({ length: 9 }, () => optInByServer(app, optInForm(app, email))),
  )
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal((await linksTo(email)).length, 3)
  app.ctx.clock.advance(HOUR)
  await optInByServer(app, optInForm(app, email))
  assert.equal((await linksTo(email)).length, 4)
})

test("nobody's license is not given to a known address by who knows its key; the mailed link gives it", async () => {
  const { email, id } = await knownUser()
  const license = await licenseOf(app)
  const opted = await optInByServer(app, optInForm(app, email, { license_key: license.secret_key }))
  assert.equal(opted.json.pending_activation, true)
  const activated = await app.call('POST', `${product()}/licenses/activate.json`, {
    token: null,
    body: {
      uid: newUid(),
      license_key: license.secret_key,
      url: 'https://site.example.org',
      user_email: email,
      first_name: 'Eve',
      last_name: 'Stranger',
    },
  })
  assert.deepEqual([activated.status, activated.json.error.code], [400, 'account_verification_required'])
  assert.equal(await ownerOf(license.id), null)
  assert.deepEqual(await installsOf(id), [])
  const [first = '', second = ''] = await linksTo(email)
  const done = await open(second, 'POST')
  assert.equal(done.status, 200)
  assert.match(await done.text(), /connected/)
  assert.equal(String(await ownerOf(license.id)), id)
  const refused = await open(first, 'POST')
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /has been reached/)
  assert.equal((await open(first)).status, 200, 'what was refused leaves the link good')
})

test('two persons who confirm the same orphan at once do not both own it', async () => {
  const [a, b] = [await knownUser(), await knownUser()]
  const license = await licenseOf(app, 5)
  for (const { email } of [a, b]) {
    await optInByServer(app, optInForm(app, email, { license_key: license.secret_key }))
  }
  const paths = [...(await linksTo(a.email)), ...(await linksTo(b.email))]
  const statuses = (await Promise.all(paths.map((path) => open(path, 'POST')))).map(({ status }) => status)
  assert.deepEqual(statuses, [303, 303])
  const changes = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'license.ownership.changed')
    .execute()
  const ofThis = changes.filter(({ data }) => JSON.parse(data ?? '{}').license_id === license.id)
  assert.equal(ofThis.length, 1)
})

test('a confirmation that is cut at any statement leaves nothing, or everything', async () => {
  const { email, id } = await knownUser()
  await optInByServer(app, optInForm(app, email))
  const [path = ''] = await linksTo(email)
  const token = path.split('/').at(-1) ?? ''
  const from = { ip: '192.0.2.1', requestId: 'cut' }
  for (let n = 1, isDead = true; isDead; n++) {
    const dying = dyingProcess(app, n)
    await transaction(dying.ctx, (tx) => confirmActivation(tx, token, from)).catch(() => {})
    isDead = dying.isDead()
    await dying.close()
    const isDone = (await installsOf(id)).length === 1
    const page = await open(path)
    assert.equal(page.status, isDone ? 404 : 200, `cut before statement ${n}`)
    if (isDone) return
  }
  assert.fail('it is never done')
})

/** The proof of a user as clients make it (`docs/interface.md` 4.2). */
const proofOf = ({ id, secret, publicKey }: Awaited<ReturnType<typeof knownUser>>, seconds: number) => ({
  s_ctx_type: 'user',
  s_ctx_id: id,
  s_ctx_ts: String(seconds),
  s_ctx_secure: hash('md5', `${seconds}${id}${secret}${publicKey}install_with_existing_user`),
})
const now = () => app.ctx.clock.real() / SECOND

test('a user that proves itself by its keys is connected at once', async () => {
  const user = await knownUser()
  const { status, json } = await optInByServer(app, optInForm(app, '', proofOf(user, now())))
  assert.equal(status, 200)
  assert.equal(json.user_id, user.id)
  const given = keysOf({ id: user.id, public_key: json.user_public_key, secret_key: json.user_secret_key })
  assert.equal((await asUser(app, given)('GET', '.json')).json.email, user.email)
  assert.equal((await installsOf(user.id)).length, 1)
})

test('a proof that is altered, old, of somebody else, or used before is refused', async () => {
  const user = await knownUser()
  const other = await knownUser()
  const proof = proofOf(user, now())
  const elsewhere = hash('md5', `${now()}${user.id}${user.secret}${user.publicKey}checkout`)
  for (const wrong of [
    { ...proof, s_ctx_secure: elsewhere },
    { ...proof, s_ctx_secure: proof.s_ctx_secure.toUpperCase() },
    { ...proof, s_ctx_secure: '' },
    { ...proof, s_ctx_id: other.id },
    { ...proof, s_ctx_ts: String(now() + 1) },
    { ...proof, s_ctx_ts: '' },
    proofOf(user, now() - (15 * MINUTE) / SECOND - 1),
    proofOf(user, now() + (15 * MINUTE) / SECOND + 1),
  ]) {
    const { status, json } = await optInByServer(app, optInForm(app, user.email, wrong))
    assert.deepEqual([status, typeof json.error], [401, 'string'], JSON.stringify(wrong))
  }
  assert.deepEqual(await installsOf(user.id), [])
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => optInByServer(app, optInForm(app, '', proof))),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401])
  assert.equal((await installsOf(user.id)).length, 1)
  assert.equal((await optInByServer(app, optInForm(app, '', proof))).status, 401)
})

test('keys of another product prove nothing here', async () => {
  const email = newAddress()
  const id = await userOf(app, email, app.seller.other)
  const path = `/products/${app.seller.other.id}/users/${id}.json`
  const { json } = await app.call('GET', path, { token: app.seller.other.token })
  const user = { email, id, secret: json.secret_key, publicKey: json.public_key }
  assert.equal((await optInByServer(app, optInForm(app, '', proofOf(user, now())))).status, 401)
})
