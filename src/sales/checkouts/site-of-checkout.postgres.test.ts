import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { clientsOf, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { isAnybodyWaiting } from '../../../test/lock-waits.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import type { Install } from '../../licensing/installs/schema.ts'
import { holdLicense } from '../../licensing/activation/license-on-install-rows.ts'

let app: TestApp
let clients: Clients
let shop: ChangeShop
before(async () => {
  app = await startTestApp('site_of_checkout')
  clients = clientsOf(app)
  shop = await changeShop(app)
})
after(() => app.close())

let people = 0
const someone = () => ({
  user_email: `site-buyer${++people}@example.com`,
  user_firstname: 'Vi',
  country_code: 'us',
  plan_id: shop.plans.basic,
})

async function bought(body: object) {
  const { json: session, text } = await shop.open(body)
  assert.ok(session.id, text)
  const { json, text: paid } = await shop.pay(session.id)
  assert.equal(json.state, 'paid', paid)
  return { id: json.license_id as string, key: json.license_key as string }
}

/** A site of the sandbox with the license that its owner bought there, and a checkout that is opened from it. */
async function siteWithCheckout() {
  const buyer = someone()
  const { id, key } = await bought({ ...shop.sandbox(), ...buyer })
  const license = { ...(await shop.licenseOf(id)), secret_key: key }
  const { installId } = await clients.active(license, { url: 'https://sandbox-site.org' })
  const { secret_key: secret, public_key: known } = (await shop.get(`/installs/${installId}.json`)) as Install
  const ts = Math.floor(app.ctx.clock.real() / 1000)
  const proof = hash('md5', `${ts}${installId}${secret}${known}checkout`)
  const context = { s_ctx_type: 'install', s_ctx_id: installId, s_ctx_ts: String(ts), s_ctx_secure: proof }
  const { json, text } = await shop.open({
    ...shop.sandbox(),
    ...buyer,
    ...context,
    plan_id: shop.plans.pro,
  })
  assert.ok(json.id, text)
  return { buyer, installId, session: json.id as string, licenseId: Number(id) }
}

/** Pays a checkout while another process has a license in hand, which then takes the site too. */
async function paidBeside(
  { installId, session }: Awaited<ReturnType<typeof siteWithCheckout>>,
  held: number,
) {
  const other = anotherProcess(app)
  try {
    const { paying } = await other.ctx.database.transaction(async (db) => {
      await holdLicense(db, held)
      const started = shop.pay(session)
      while (!(await isAnybodyWaiting(app.ctx.database))) await sleep(10)
      await sql`select 1 from installs where id = ${installId} for update nowait`.execute(db)
      return { paying: started }
    })
    const { json, text } = await paying
    assert.equal(json.state, 'paid', text)
    const { license_id: id } = await shop.get(`/installs/${installId}.json`)
    assert.equal(id, json.license_id)
  } finally {
    await other.close()
  }
}

test('who pays from a site waits for the license on it before the site is held, so that nobody waits for the other', async () => {
  const site = await siteWithCheckout()
  await paidBeside(site, site.licenseId)
})

test('who pays from a site waits for the license of its trial before the site is held', async () => {
  const site = await siteWithCheckout()
  await app.write(({ db }) => db.updateTable('plans').set({ trial_period: 14 }).execute())
  const { id } = await bought({ ...shop.sandbox(), ...site.buyer, trial: 'paid' })
  await paidBeside(site, Number(id))
})
