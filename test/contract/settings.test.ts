import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { operations } from '../../src/app.ts'
import { SPECIAL_TYPES } from '../../src/db/tables/coupons.ts'
import { SETTING_TYPES } from '../../src/catalogue/products/settings-schema.ts'
import { EFFECTS } from './settings.ts'
import { touchesSetting } from './touched.ts'

/** The operations that write what a seller sets, each with the name that its entity has in the list. */
const WRITES: Readonly<Record<string, string>> = {
  'products/update': 'product',
  'plans/update': 'plan',
  'keywright/order-plans': 'order of plans',
  'plans/update-pricing': 'price',
  'coupons/update': 'coupon',
  'keywright/coupons-of-store-update': 'coupon',
  'keywright/coupons-of-own-store-update': 'coupon',
  'keywright/update-store': 'store',
  'keywright/update-tax-settings': 'taxes',
  'keywright/update-mail-template': 'mail text',
  'products/update-feature': 'feature',
  'keywright/set-feature-value': 'feature of plan',
  'keywright/update-info': 'info',
  'keywright/update-bundle-members': 'bundle',
  'reviews/update': 'review',
  'keywright/update-store-addresses': 'addresses of store',
  'products/update-email-addressses': 'addresses of product',
  'deployments/update': 'version',
  'licenses/update': 'license',
  'keywright/update-webhook': 'listener',
  'keywright/update-member': 'member',
}

/** The other operations that write: of customers, of persons, notes, and steps of a sale. */
const NO_SETTINGS: readonly RegExp[] = [
  /^(installations|users|carts|subscriptions)\//,
  /^products\/skip-account-connection$/,
  /^licenses\/assign$/,
  /^coupons\/update-note$/,
  /^keywright\/update-note-of-/,
  /^keywright\/(ask-for-owner|switch-cart-recovery|update-checkout|white-label-license|change-license-plan)$/,
  /^keywright\/update-user-(installs|permissions)$/,
  /^keywright\/(update-bank-account|change-password|update-person|put-portal-language)$/,
  // Their arguments are the keys of `SETTING_TYPES`.
  /^(keywright\/write-setting|products\/update-setting)$/,
]

const named = (entity: string, { properties }: { readonly properties: object }) =>
  Object.keys(properties).map((field) => `${entity} ${field}`)

/** Every setting of a seller, as the operations take it. */
const ALL = [
  ...operations.flatMap(({ id, body }) => (body && WRITES[id] ? named(WRITES[id], body) : [])),
  ...Object.values(SETTING_TYPES).flatMap(({ schema }) => named('setting', schema)),
  ...SPECIAL_TYPES.map((type) => `special coupon ${type}`),
]

test('each operation that writes over what there is takes settings that are listed, or is known to take none', () => {
  const ids = operations.filter(({ method, body }) => method === 'PUT' && body).map(({ id }) => id)
  const isKnown = (id: string) => id in WRITES || NO_SETTINGS.some((pattern) => pattern.test(id))
  assert.deepEqual(
    ids.filter((id) => !isKnown(id)),
    [],
  )
  assert.deepEqual(
    Object.keys(WRITES).filter((id) => !ids.includes(id)),
    [],
  )
})

test('each setting has an effect that is named, and none is named that there is not', () => {
  assert.deepEqual(Object.keys(EFFECTS).toSorted(), [...new Set(ALL)].toSorted())
  for (const [name, { does }] of Object.entries(EFFECTS)) assert.ok(does.length > 10, name)
})

test('each effect is shown by a test that is there, and that names the setting', async () => {
  for (const [name, effect] of Object.entries(EFFECTS)) {
    if (!('file' in effect)) continue
    const { file, title } = effect
    assert.ok((await readFile(file, 'utf8')).includes(title), `${file}: ${title}`)
    const setting = name.split(' ').at(-1) ?? ''
    assert.ok(await touchesSetting(file, title, setting), `${name}: ${file}: ${title}`)
  }
})
