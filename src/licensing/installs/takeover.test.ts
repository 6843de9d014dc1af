import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { createOwner } from '../../../test/installs.ts'
import { licenseOf, offerFor } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { spellingsOf } from '../../../test/security/secrets.ts'
import { changedTables, contentsOf } from '../../../test/whole-database.ts'
import type { License } from '../licenses/schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('takeover')
  clients = clientsOf(app)
})
after(() => app.close())

type Form = Readonly<Record<string, string>>
let people = 0

/** A person with a license that is active on a site, and all that is secret of them. */
async function victim(email = `Vera.Victim${++people}@Example.com`) {
  const keys = await createOwner(app, email)
  const license = await licenseOf(app, 9, { body: { email } })
  const active = await clients.active(license, { url: 'https://vera.example.com' })
  const secrets = [keys.secretKey, license.secret_key, active.token, active.json['install_secret_key'] ?? '']
  return { email, id: String(keys.id), license, active, secrets }
}
type Victim = Awaited<ReturnType<typeof victim>>

/** Claims a license of nobody for an address. */
const claim = (license: License, email: string, more: object = {}): Promise<Reply> =>
  clients.activate({
    license_key: license.secret_key,
    user_email: email,
    first_name: 'Eve',
    last_name: 'Else',
    is_marketing_allowed: true,
    ...more,
  })

const row = (license: License) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', Number(license.id)).executeTakeFirstOrThrow()
const pendingTo = async (email: string) =>
  (await mailsTo(app, email)).filter(({ kind }) => kind === 'pending_activation')
function noneOf({ secrets }: Victim, ...texts: readonly (string | null)[]): void {
  for (const secret of secrets.flatMap(spellingsOf))
    for (const text of texts) assert.ok(!text?.includes(secret))
}

/** What may change when a known person is asked: what it is asked, and the mail that asks; refusals come by batches. */
async function onlyAsks(work: () => Promise<unknown>): Promise<void> {
  const before = await contentsOf(app.ctx.database)
  await work()
  await app.recorded()
  const changed = changedTables(before, await contentsOf(app.ctx.database))
  const asked = changed.filter((table) => table !== 'refusals').toSorted()
  assert.deepEqual(asked, ['mails', 'pending_activations'])
}

test('a known address in any spelling that is the same is known: nobody gets keys or a license by it', async () => {
  const spellings: [string, readonly string[]][] = [
    [
      'Fiona.Kay@Example.com',
      ['fiona.kay@example.com', 'FIONA.KAY@EXAMPLE.COM', 'ﬁona.\u212Aay@example.com'],
    ],
    ['full@width.com', ['ｆｕｌｌ@width.com', 'full@ｗｉｄｔｈ.com', 'FULL@WIDTH.COM']],
    [
      'jos\u00e9@caf\u00e9.com',
      ['jose\u0301@cafe\u0301.com', 'JOS\u00c9@CAF\u00c9.com', 'JOSE\u0301@caf\u00e9.com'],
    ],
    ['σίσυφος@example.gr', ['ΣΊΣΥΦΟΣ@example.gr', 'σίσυφοσ@example.gr']],
  ]
  for (const [stored, others] of spellings) {
    const known = await victim(stored)
    for (const spelling of others) {
      const license = await licenseOf(app, 1)
      await onlyAsks(async () => {
        const opted = await optInByServer(app, optInForm(app, spelling, { license_key: license.secret_key }))
        assert.equal(opted.json.pending_activation, true, `${spelling}: ${opted.text}`)
        noneOf(known, opted.text)
        assert.doesNotMatch(opted.text, /sk_|pk_|kwi_/)
      })
      await onlyAsks(async () => {
        const claimed = await claim(license, spelling)
        assert.deepEqual([claimed.status, claimed.json.error.code], [400, 'account_verification_required'])
        noneOf(known, claimed.text)
        assert.doesNotMatch(claimed.text, /sk_|pk_|kwi_/)
      })
      assert.equal((await row(license)).user_id, null)
      assert.deepEqual(await mailsTo(app, spelling), [], 'mail goes to the address that is stored')
      app.ctx.clock.advance(3_600_000)
    }
    assert.equal((await pendingTo(stored)).length, 2 * others.length)
  }
})

test('an address that only looks alike, or has more in it, is of somebody else, who gets nothing of the known one', async () => {
  const known = await victim('istanbul@strasse.com')
  const others = [
    'istanbul+shop@strasse.com',
    'istan.bul@strasse.com',
    'ist\u0430nbul@strasse.com',
    '\u0131stanbul@strasse.com',
    '\u0130stanbul@strasse.com',
    'istanbul@stra\u00dfe.com',
    'istanbul@strasse.com.de',
    'istanbul@mail.strasse.com',
  ]
  const ids = new Set([known.id])
  for (const other of others) {
    const license = await licenseOf(app, 1)
    const claimed = await claim(license, other)
    assert.equal(claimed.status, 200, `${other}: ${claimed.text}`)
    assert.equal(String((await row(license)).user_id), claimed.json.user_id)
    noneOf(known, claimed.text)
    ids.add(claimed.json.user_id)
    const opted = await optInByServer(app, optInForm(app, `opted.${other}`))
    assert.equal(opted.status, 200, opted.text)
    noneOf(known, opted.text)
    ids.add(opted.json.user_id)
  }
  assert.equal(ids.size, 1 + 2 * others.length)
  assert.deepEqual(await pendingTo(known.email), [])
})

test('what is no address that mail could be sent to is refused, and leaves nothing', async () => {
  const known = await victim()
  const license = await licenseOf(app, 1)
  const before = await contentsOf(app.ctx.database)
  for (const wrong of [
    `${known.email}\u200b`,
    `\u00ad${known.email}`,
    known.email.replace('@', '\u202e@'),
    `${known.email}.`,
    ` ${known.email} `,
    `${known.email}\r\nBcc: eve@example.com`,
    `${known.email},eve@example.com`,
    `${known.email} eve@example.com`,
    `"x"@${known.email}`,
    `<${known.email}>`,
    `eve@evil.com(${known.email})`,
    `${known.email}\u0000`,
  ]) {
    const opted = await optInByServer(app, optInForm(app, wrong, { license_key: license.secret_key }))
    const claimed = await claim(license, wrong)
    assert.deepEqual([opted.status, claimed.status], [400, 400], JSON.stringify(wrong))
    noneOf(known, opted.text, claimed.text)
  }
  await app.recorded()
  assert.deepEqual(changedTables(before, await contentsOf(app.ctx.database), ['refusals']), [])
})

test('what else a stranger says of a known person, its name, consent, sites, trial or uninstall, is not done', async () => {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const forms: ((known: Awaited<ReturnType<typeof victim>>) => Form)[] = [
    () => ({ user_firstname: 'Eve', user_lastname: 'Else', is_marketing_allowed: '1' }),
    () => ({ 'sites[0][uid]': newUid(), 'sites[0][url]': 'https://site.example.org', site_uid: '' }),
    () => ({ trial_plan_id: String(planId) }),
    ({ active }) => ({ site_uid: active.uid, site_url: 'https://site.example.org' }),
  ]
  for (const formOf of forms) {
    const one = await victim()
    await onlyAsks(async () => {
      const { json, text } = await optInByServer(app, optInForm(app, one.email, formOf(one)))
      assert.equal(json.pending_activation, true, text)
      noneOf(one, text)
    })
  }
  const known = await victim()
  const gone = { 'uninstall_params[reason_id]': '5', site_uid: known.active.uid }
  const told = await optInByServer(app, optInForm(app, known.email, gone))
  noneOf(known, told.text)
  const install = await clients.installRow(known.active.installId)
  assert.deepEqual([install.is_active, install.is_uninstalled], [true, false])
  assert.equal((await clients.verify(known.active)).status, 200)
})

test("a known address gets nothing of a sandbox license or of a bundle's either", async () => {
  const known = await victim()
  const sandbox = await licenseOf(app, 1)
  await clients.setLicense(sandbox, { environment: 1 })
  await onlyAsks(async () => {
    const opted = await optInByServer(app, optInForm(app, known.email, { license_key: sandbox.secret_key }))
    assert.equal(opted.json.pending_activation, true)
  })
  await onlyAsks(async () => {
    const claimed = await claim(sandbox, known.email)
    assert.equal(claimed.json.error.code, 'account_verification_required')
  })
  assert.equal((await row(sandbox)).user_id, null)
  const parent = await licenseOf(app, 1)
  await clients.setLicense(sandbox, { parent_license_id: Number(parent.id), environment: 0 })
  assert.equal((await claim(sandbox, known.email)).status, 400)
  assert.deepEqual([(await row(parent)).user_id, (await row(sandbox)).user_id], [null, null])
})

test('the uid of a site of somebody else opens an install of its own, and leaves the other as it is', async () => {
  const known = await victim()
  const { uid, installId, key } = known.active
  const own = await clients.ownLicense(1)
  const before = await clients.installRow(installId)
  const replies = [
    await clients.activate({ uid, license_key: own.secret_key, url: 'https://eve.com', title: 'Eve' }),
    await optInByServer(app, optInForm(app, `eve${++people}@example.com`, { site_uid: uid })),
    await claim(await licenseOf(app, 1), `eve${++people}@example.com`, { uid }),
  ]
  for (const { status, json, text } of replies) {
    assert.equal(status, 200, text)
    assert.notEqual(json.install_id, installId)
    noneOf(known, text)
  }
  assert.deepEqual(await clients.installRow(installId), before)
  assert.equal((await clients.verify({ ...known.active, key })).status, 200)
})

test('the install of somebody else is neither activated, verified nor deactivated by another key', async () => {
  const known = await victim()
  const { uid, installId } = known.active
  const own = await clients.active(await clients.ownLicense(2))
  const before = await clients.installRow(installId)
  const license_key = own.key
  const tries: [string, Promise<Reply>][] = [
    ['404 not_found', clients.activate({ license_key, uid, install_id: installId })],
    ['404 not_found', clients.activate({ license_key, uid: newUid(), install_id: installId })],
    ['400 license_activated', clients.activate({ license_key, uid: own.uid, install_id: installId })],
    ['404 not_found', clients.verify({ ...own, uid, installId })],
    ['400 license_error', clients.deactivate({ ...own, uid, installId })],
    ['404 not_found', clients.deactivate({ ...own, installId })],
  ]
  for (const [expected, reply] of tries) {
    assert.equal(await clients.refusal(reply), expected)
    noneOf(known, (await reply).text)
  }
  assert.deepEqual(await clients.installRow(installId), before)
})

test('a mailed link is its token, letter by letter: nothing that is near it, and no other link, does it', async () => {
  const known = await victim()
  await optInByServer(app, optInForm(app, known.email))
  const [mail] = await pendingTo(known.email)
  const [, token = ''] = /\/confirm-activation\/([\w-]+)/.exec(mail?.text ?? '') ?? []
  const confirm = (await mailsTo(app, known.email)).map(({ text }) => text).join('\n')
  const [, other] = /\/confirm-email\/([\w-]+)/.exec(confirm) ?? []
  const { id, token_hash: hash } = await app.ctx.db
    .selectFrom('pending_activations')
    .select(['id', 'token_hash'])
    .where('user_id', '=', Number(known.id))
    .executeTakeFirstOrThrow()
  const last = token.at(-1) === 'A' ? 'B' : 'A'
  const wrong = [
    token.slice(0, -1) + last,
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    token.toLowerCase(),
    token + token,
    ` ${token}`,
    `${token}\u0000`,
    String(id),
    hash,
    known.id,
    ...(other === undefined ? [] : [other]),
  ]
  const post = (text: string) =>
    fetch(`${app.address}/confirm-activation/${encodeURIComponent(text)}`, {
      method: 'POST',
      redirect: 'manual',
    })
  const before = await contentsOf(app.ctx.database)
  for (const text of wrong) {
    const reply = await post(text)
    assert.equal(reply.status, 404, JSON.stringify(text))
    noneOf(known, await reply.text())
  }
  for (const page of ['confirm-email', 'change-ownership', 'invitation']) {
    const reply = await fetch(`${app.address}/${page}/${token}`, { method: 'POST', redirect: 'manual' })
    assert.ok(reply.status >= 400, page)
  }
  assert.deepEqual(changedTables(before, await contentsOf(app.ctx.database), ['refusals']), [])
  assert.equal((await post(token)).status, 303)
  assert.equal((await post(token)).status, 404)
})

test("a person of another seller's account is another person", async () => {
  const known = await victim()
  const { product } = await app.write((tx) => createSeller(tx, 'other@example.com'))
  const form = optInForm(app, known.email, {
    plugin_id: String(product.id),
    plugin_public_key: product.publicKey,
  })
  const { status, json, text } = await optInByServer(app, form)
  assert.equal(status, 200)
  assert.notEqual(json.user_id, known.id)
  noneOf(known, text)
})
