import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transaction, type TxContext } from '../src/context.ts'
import { activate } from '../src/licensing/activation/activate.ts'
import { assignLicense } from '../src/licensing/licenses/assign-license.ts'
import { cancelLicense, deleteLicense } from '../src/licensing/licenses/cancel-license.ts'
import { startOwnershipChange } from '../src/licensing/owners/change-owner.ts'
import { confirmActivation } from '../src/licensing/activation/confirm-activation.ts'
import { createLicense } from '../src/licensing/licenses/create-license.ts'
import { deactivateEverywhere } from '../src/licensing/activation/deactivate-license.ts'
import { giveLicenseNotices } from '../src/licensing/notices/license-notices.ts'
import { licensesToNotice, trialsToNotice } from '../src/licensing/notices/notice-queries.ts'
import { optIn } from '../src/licensing/opt-in/opt-in.ts'
import { giveTrialNotices } from '../src/licensing/notices/trial-notices.ts'
import { cancelTrial, startTrial } from '../src/licensing/trials/trials.ts'
import { updateInstall } from '../src/licensing/installs/update-install.ts'
import { Limits } from '../src/http/limits.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import { DAY, toUtcTime } from '../src/lib/time.ts'
import { readOptIn } from '../src/licensing/opt-in/opt-in-schema.ts'
import { getInstall } from '../src/licensing/installs/service.ts'
import type { License } from '../src/licensing/licenses/schema.ts'
import { clientsOf, newUid, type Clients } from './activations.ts'
import { startTestApp, type TestApp } from './app.ts'
import { cutEverywhere, type Way } from './cut-everywhere.ts'
import { installOf, licenseOf, licenseOn, offerFor, userOf } from './licenses.ts'
import { mailsTo } from './mails.ts'
import { connectedInstall, optInByServer, optInForm } from './opt-in.ts'
import { GENEROUS } from './rates.ts'

type Work = (tx: TxContext) => Promise<unknown>

interface Ready {
  readonly work: Work
  /** Tables that it changes, among others. */
  readonly changes: readonly string[]
}

interface World {
  readonly app: TestApp
  readonly clients: Clients
  readonly scope: Scope
  /** The second product, which is in a bundle: the first. */
  readonly member: Scope
}

let people = 0
const newAddress = () => `cut${++people}@example.com`
const LIMITS = new Limits(GENEROUS)
const FROM = { ip: '192.0.2.1', requestId: 'cut' }
const LICENSED = ['licenses', 'installs', 'events']

/** Every flow of licensing that writes more than once, with what it needs to be there. */
const FLOWS: Readonly<Record<string, (world: World) => Promise<Ready>>> = {
  async 'an activation that moves an install to another license'({ app, clients, scope }) {
    const one = await clients.ownLicense(1)
    const { uid, installId } = await clients.active(one, { url: 'https://a.com' })
    const two = await sameOwner(app, clients, one)
    const body = { uid, license_key: two.secret_key, install_id: Number(installId), url: 'https://b.com' }
    const work: Work = (tx) => activate(tx, scope, { ...body, allow_unreleased_plan_activation: false })
    return { work, changes: [...LICENSED, 'install_tokens'] }
  },

  async "an activation by a bundle's key that opens a product"({ app, member }) {
    const { license } = await bundle(app)
    const body = { uid: newUid(), license_key: license.secret_key, allow_unreleased_plan_activation: false }
    return { work: (tx) => activate(tx, member, body), changes: [...LICENSED, 'product_users'] }
  },

  async 'a license for a user who is mailed its key'({ app, scope }) {
    const email = newAddress()
    await userOf(app, email)
    const { planId: plan_id, pricingId: pricing_id } = await offerFor(app, 2)
    const input = { period: 12, email, send_email: true } as const
    const work: Work = (tx) => createLicense(tx, scope, { plan_id, pricing_id }, input)
    return { work, changes: ['licenses', 'events', 'mails'] }
  },

  async 'a license of a bundle on an install of a member'({ app, scope }) {
    const { email, offer } = await bundle(app)
    const userId = await userOf(app, email, app.seller.other)
    const installId = await installOf(app, { userId, productId: app.seller.other.id })
    const ids = { plan_id: offer.planId, pricing_id: offer.pricingId }
    const input = { period: 12, email, existing_install_id: installId } as const
    return { work: (tx) => createLicense(tx, scope, ids, input), changes: LICENSED }
  },

  async 'an orphan license that is given to a new person'({ app, scope }) {
    const { secret_key: license_key } = await licenseOf(app, 1)
    const input = { license_key, email: newAddress(), name: 'Nora New' }
    const work: Work = (tx) => assignLicense(tx, scope, input)
    return { work, changes: ['licenses', 'users', 'product_users', 'events', 'mails'] }
  },

  async "the cancellation of a bundle's license"({ app, scope }) {
    const { license } = await bundle(app, { isOpened: true })
    return { work: (tx) => cancelLicense(tx, scope, Number(license.id), {}), changes: ['licenses', 'events'] }
  },

  async "the erasure of a bundle's license"({ app, scope }) {
    const { license } = await bundle(app, { isOpened: true })
    return { work: (tx) => deleteLicense(tx, scope, Number(license.id), {}), changes: LICENSED }
  },

  async 'a deactivation everywhere'({ clients, scope }) {
    const license = await clients.ownLicense(3)
    for (const url of ['https://a.com', 'https://b.a.com', 'http://localhost']) {
      await clients.active(license, { url })
    }
    return { work: (tx) => deactivateEverywhere(tx, scope, Number(license.id)), changes: LICENSED }
  },

  async 'a domain that moves and leaves what it covered counted'({ clients, scope }) {
    const license = await clients.ownLicense(3)
    const { installId } = await clients.active(license, { url: 'https://a.com' })
    await clients.active(license, { url: 'https://b.a.com' })
    const work: Work = (tx) => updateInstall(tx, scope, Number(installId), { url: 'https://c.com' })
    return { work, changes: LICENSED }
  },

  async "a seller's change of the owner of an install"({ clients, scope }) {
    const { installId } = await clients.active(await clients.ownLicense(1))
    const work: Work = (tx) => updateInstall(tx, scope, Number(installId), { user_email: newAddress() })
    return { work, changes: [...LICENSED, 'install_tokens', 'users', 'product_users'] }
  },

  async 'a change of owner that is asked for'({ clients, scope }) {
    const { installId } = await clients.active(await clients.ownLicense(1))
    const wanted = {
      next: { email: newAddress() },
      transferType: 'transfer',
      installIds: [],
      redirectUrl: null,
    }
    const work: Work = async (tx) =>
      startOwnershipChange(tx, scope, await getInstall(tx, scope, Number(installId)), wanted)
    return { work, changes: ['ownership_changes', 'events', 'mails'] }
  },

  async 'the start of a trial'({ app, scope }) {
    const { ids } = await tried(app)
    const input = { is_migration: false, phone: '123' }
    return { work: (tx) => startTrial(tx, scope, ids, input), changes: [...LICENSED, 'trials', 'billing'] }
  },

  async 'the end of a trial before its time'({ app, scope }) {
    const { ids } = await tried(app)
    await transaction(app.ctx, (tx) => startTrial(tx, scope, ids, { is_migration: false }))
    const reason = { ids: [1], text: 'No.' }
    const work: Work = (tx) => cancelTrial(tx, scope, ids.install_id, reason)
    return { work, changes: [...LICENSED, 'trials'] }
  },

  async 'the end of a trial at its time'({ app, scope }) {
    const { ids } = await tried(app)
    await transaction(app.ctx, (tx) => startTrial(tx, scope, ids, { is_migration: false }))
    const now = toUtcTime(app.ctx.clock.real() + 14 * DAY)
    const place = { environment: 0, now, real: 0, limit: 100 } as const
    const trials = await trialsToNotice(app.ctx.db, place)
    const licenses = await licensesToNotice(app.ctx.db, place)
    const work: Work = async (tx) => {
      await giveTrialNotices(tx, trials, now)
      await giveLicenseNotices(tx, licenses, now)
    }
    return { work, changes: [...LICENSED, 'trials'] }
  },

  async 'a license of nobody that is put on an install and ends its trial'({ app, scope }) {
    const { ids } = await tried(app)
    await transaction(app.ctx, (tx) => startTrial(tx, scope, ids, { is_migration: false }))
    const { secret_key: license_key } = await licenseOf(app, 1)
    const work: Work = (tx) => updateInstall(tx, scope, ids.install_id, { license_key })
    return { work, changes: [...LICENSED, 'trials'] }
  },

  async 'the first proof of an address, from where its link is followed'({ app }) {
    const email = newAddress()
    for (let times = 0; times < 2; times++) await optInByServer(app, optInForm(app, email))
    const mail = (await mailsTo(app, email)).at(-1)
    const [, token = ''] = /\/confirm-activation\/(\S+)/.exec(mail?.text ?? '') ?? []
    return {
      work: (tx) => confirmActivation(tx, token, FROM),
      changes: ['users', 'user_keys', 'installs'],
    }
  },

  async 'the opt-in of a new person with a license of nobody and a network of sites'({ app }) {
    const { secret_key: license_key } = await licenseOf(app, 5)
    const sites = { 'sites[0][uid]': newUid(), 'sites[1][uid]': newUid() }
    const form = optInForm(app, newAddress(), { ...sites, format: 'json', license_key })
    const work: Work = (tx) => optIn(tx, readOptIn(form, 'text'), FROM, LIMITS)
    return { work, changes: [...LICENSED, 'users', 'product_users', 'install_metadata'] }
  },

  async 'the opt-in of a new person that tries a plan'({ app }) {
    const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
    const form = optInForm(app, newAddress(), { format: 'json', trial_plan_id: String(planId) })
    const work: Work = (tx) => optIn(tx, readOptIn(form, 'text'), FROM, LIMITS)
    return { work, changes: [...LICENSED, 'users', 'product_users', 'trials'] }
  },

  async 'the opt-in of a known person, who is mailed a link'({ app }) {
    const email = newAddress()
    await userOf(app, email)
    const form = optInForm(app, email, { format: 'json' })
    const work: Work = (tx) => optIn(tx, readOptIn(form, 'text'), FROM, LIMITS)
    return { work, changes: ['pending_activations', 'mails'] }
  },

  async 'the link of that mail, which takes a license of nobody'({ app }) {
    const email = newAddress()
    await userOf(app, email)
    const { secret_key: license_key } = await licenseOf(app, 1)
    await optInByServer(app, optInForm(app, email, { license_key }))
    const mail = (await mailsTo(app, email)).at(-1)
    const [, token = ''] = /\/confirm-activation\/(\S+)/.exec(mail?.text ?? '') ?? []
    return { work: (tx) => confirmActivation(tx, token, FROM), changes: [...LICENSED, 'pending_activations'] }
  },
}

async function sameOwner(app: TestApp, clients: Clients, { user_id: id }: License): Promise<License> {
  const license = await licenseOf(app, 1)
  await clients.setLicense(license, { user_id: Number(id) })
  return license
}

async function tried(app: TestApp) {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const install = await connectedInstall(app, await userOf(app, newAddress()))
  return { ids: { install_id: install.id, plan_id: planId } }
}

/** A license of the bundle, and with `isOpened` what its key opened in the second product. */
async function bundle(app: TestApp, { isOpened = false } = {}) {
  const { other, product } = app.seller
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', product.id).execute()
    const member = { bundle_id: product.id, product_id: other.id }
    await db
      .insertInto('bundle_members')
      .values(member)
      .onConflict((known) => known.doNothing())
      .execute()
  })
  await offerFor(app, 1, { product: other })
  const email = newAddress()
  await userOf(app, email)
  const offer = await offerFor(app, 2)
  const license = await licenseOn(app, offer, { body: { email } })
  if (isOpened) {
    const body = { uid: newUid(), license_key: license.secret_key }
    const path = `/products/${other.id}/licenses/activate.json`
    const reply = await app.call('POST', path, { token: null, body })
    assert.equal(reply.status, 200, reply.text)
  }
  return { license, offer, email }
}

/** `docs/security-checks.md` R04: each flow, broken off before each of its statements, leaves all of it or nothing. */
export function breakOffLicensing(way: Way): void {
  let world: World
  before(async () => {
    const app = await startTestApp('licensing_crash')
    const { developer, product, other } = app.seller
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    const member = systemScope({ developerId: developer.id, productId: other.id })
    world = { app, clients: clientsOf(app), scope, member }
  })
  after(() => world.app.close())

  for (const [name, prepare] of Object.entries(FLOWS)) {
    test(`R04: a process that ${way} at any statement of ${name} leaves nothing of it`, async () => {
      const { work, changes } = await prepare(world)
      await world.app.recorded()
      const changed = await cutEverywhere(world.app, way, work)
      assert.deepEqual(
        changes.filter((table) => !changed.includes(table)),
        [],
      )
    })
  }
}
