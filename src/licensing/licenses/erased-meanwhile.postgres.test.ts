import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createOwner } from '../../../test/installs.ts'
import { endedOrWaiting } from '../../../test/lock-waits.ts'
import { installOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import type { License } from './schema.ts'

/** What another call does before the first statement of a kind. */
let meanwhile: { readonly before: RegExp; readonly work: () => Promise<unknown> } | null = null

const HOLD_LICENSE = /^select \* from "licenses" where "licenses"."id" = \$1 for no key update/
const HOLD_INSTALL = /^select \* from "installs" where "installs"."id" = \$1 for no key update/
const HOLD_INSTALL_OF_UID = /^select \* from "installs" where "product_id" = .* for no key update/
const FIND_INSTALL = /^select .* from "installs" where "installs"."product_id"(?!.* for no key update)/
const ISSUE = /^insert into "licenses"/

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('erased_meanwhile', {
    onStatement: async (statement) => {
      if (meanwhile === null || !meanwhile.before.test(statement)) return
      const { work } = meanwhile
      meanwhile = null
      await work()
    },
  })
  clients = clientsOf(app)
})
after(() => app.close())

/** The answer to a call, before whose first statement of a kind another call was answered. */
async function overtaken(call: () => Promise<Reply>, statement: RegExp, by: () => Promise<Reply>) {
  let other: Reply | undefined
  meanwhile = { before: statement, work: async () => (other = await by()) }
  const reply = await call()
  const isOvertaken = meanwhile === null
  meanwhile = null
  assert.ok(isOvertaken, `there was no ${statement}`)
  assert.ok(other && other.status < 300, other?.text)
  return reply
}

const told = ({ status, json }: Reply) => [status, json?.error?.code, json?.error?.message]
const GONE_LICENSE = [404, 'not_found', 'There is no such license.']
const GONE_INSTALL = [404, 'not_found', 'There is no such install.']

const eraseLicense = ({ id }: License) => app.call('DELETE', clients.path(`/licenses/${id}.json?delete=true`))
const eraseInstall = (id: number | string) => app.call('DELETE', clients.path(`/installs/${id}.json`))
const onInstall = (method: 'PUT' | 'DELETE', installId: number | string, license: License) =>
  app.call(
    method,
    clients.path(`/installs/${installId}/licenses/${license.id}.json?license_key=${license.secret_key}`),
  )
const installFor = ({ user_id: userId }: License) => installOf(app, { userId: userId ?? '' })

test('an activation whose license is erased after it was found is not found', async () => {
  const license = await clients.ownLicense()
  const installId = await installFor(license)
  const put = () => onInstall('PUT', installId, license)
  assert.deepEqual(told(await overtaken(put, HOLD_LICENSE, () => eraseLicense(license))), GONE_LICENSE)
  const other = await clients.ownLicense()
  const activate = () => clients.activate({ license_key: other.secret_key })
  assert.deepEqual(told(await overtaken(activate, HOLD_LICENSE, () => eraseLicense(other))), GONE_LICENSE)
})

test('an activation whose install is erased after it was found is not found, and takes no place', async () => {
  const license = await clients.ownLicense()
  const installId = await installFor(license)
  const put = () => onInstall('PUT', installId, license)
  assert.deepEqual(told(await overtaken(put, HOLD_INSTALL, () => eraseInstall(installId))), GONE_INSTALL)
  assert.deepEqual(await clients.counts(license), [0, 0])
})

test('a deactivation whose license is erased after it was found is not found', async () => {
  const license = await clients.ownLicense()
  const { installId } = await clients.active(license)
  const off = () => onInstall('DELETE', installId, license)
  assert.deepEqual(told(await overtaken(off, HOLD_LICENSE, () => eraseLicense(license))), GONE_LICENSE)
})

test('a deactivation does not take off the license that came onto the install after its own was found', async () => {
  const [license, next] = [await clients.ownLicense(), await clients.ownLicense()]
  const { installId } = await clients.active(license)
  const off = () => onInstall('DELETE', installId, license)
  const reply = await overtaken(off, FIND_INSTALL, () => onInstall('PUT', installId, next))
  assert.deepEqual(told(reply), GONE_LICENSE)
  assert.deepEqual(
    [await clients.counts(license), await clients.counts(next)],
    [
      [0, 0],
      [1, 0],
    ],
  )
})

test('an activation whose uid had an install that is erased makes another one', async () => {
  const license = await clients.ownLicense()
  const { id, uid } = await clients.installRow(String(await installFor(license)))
  const again = () => clients.activate({ uid, license_key: license.secret_key })
  const reply = await overtaken(again, HOLD_INSTALL_OF_UID, () => eraseInstall(id))
  assert.equal(reply.status, 200, reply.text)
  assert.notEqual(reply.json.install_id, String(id))
  assert.deepEqual(await clients.counts(license), [1, 0])
})

test('a license for an install that is erased meanwhile is not issued', async () => {
  const license = await clients.ownLicense()
  const installId = await installFor(license)
  const { planId, pricingId } = await offerFor(app, 1)
  const create = () =>
    app.call(
      'POST',
      clients.path(`/installs/${installId}/plans/${planId}/pricing/${pricingId}/licenses.json`),
      {
        body: { period: 12 },
      },
    )
  const reply = await overtaken(create, ISSUE, () => eraseInstall(installId))
  assert.deepEqual(told(reply), GONE_INSTALL)
  const issued = await app.ctx.db.selectFrom('licenses').select('id').where('plan_id', '=', planId).execute()
  assert.deepEqual(issued, [])
})

/** The license of a bundle that the second product is in, and what its key does there. */
async function bundle() {
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
  const email = `${newUid()}@example.com`
  await userOf(app, email)
  const license = await licenseOn(app, await offerFor(app, 2), { body: { email } })
  return {
    license,
    activate: () =>
      app.call('POST', `/products/${other.id}/licenses/activate.json`, {
        token: null,
        body: { uid: newUid(), license_key: license.secret_key },
      }),
    children: () =>
      app.ctx.db
        .selectFrom('licenses')
        .select(['id', 'is_cancelled', 'quota'])
        .where('parent_license_id', '=', Number(license.id))
        .execute(),
  }
}

test('a bundle that is erased or cancelled after its key was found opens nothing', async () => {
  const { license, activate, children } = await bundle()
  assert.deepEqual(told(await overtaken(activate, HOLD_LICENSE, () => eraseLicense(license))), GONE_LICENSE)
  assert.deepEqual(await children(), [])
  const other = await bundle()
  const cancel = () => app.call('DELETE', clients.path(`/licenses/${other.license.id}.json`))
  const [status, code] = told(await overtaken(other.activate, HOLD_LICENSE, cancel))
  assert.deepEqual([status, code], [400, 'license_cancelled'])
  assert.deepEqual(await other.children(), [])
})

test('a bundle that is being erased lets its key open nothing any more', async () => {
  const { license, activate, children } = await bundle()
  let opening: Promise<Reply> | undefined
  const begin = async () => {
    opening = activate()
    await endedOrWaiting(app.ctx.database, opening)
  }
  meanwhile = { before: /^delete from "licenses"/, work: begin }
  const erased = await eraseLicense(license)
  assert.deepEqual([erased.status, (await opening)?.status], [204, 404], erased.text)
  assert.deepEqual(await children(), [])
})

test('an install whose plan is deleted before it is written has none', async () => {
  const developer = await asDeveloper(app)
  const { id } = app.seller.other
  const planOf = async (name: string) =>
    (await developer('POST', `/products/${id}/plans.json`, { name })).json.id
  const free = await planOf('free')
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('products')
      .set({ default_plan_id: Number(free) })
      .where('id', '=', id)
      .execute(),
  )
  const owner = await createOwner(app, 'early@example.com', app.seller.other)
  const create = () =>
    app.call('POST', `/products/${id}/users/${owner.id}/installs.json`, {
      token: app.seller.other.token,
      body: { uid: newUid() },
    })
  const reply = await overtaken(create, /^insert into "installs"/, () =>
    developer('DELETE', `/products/${id}/plans/${free}.json`),
  )
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.plan_id, null)
})
