import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SPECIAL_TYPES } from '../../src/db/tables/coupons.ts'
import { CouponUpdate } from '../../src/resources/coupons/input-schema.ts'
import { DeploymentUpdate } from '../../src/resources/deployments/schema.ts'
import { MemberChange } from '../../src/resources/developers/member-schema.ts'
import { LicenseUpdate } from '../../src/resources/licenses/input-schema.ts'
import { FeatureUpdate, FeatureValue } from '../../src/resources/plans/feature-schema.ts'
import { PricingUpdate } from '../../src/resources/plans/pricing-schema.ts'
import { PlanUpdate } from '../../src/resources/plans/schema.ts'
import { InfoUpdate } from '../../src/resources/products/info-schema.ts'
import { ProductUpdate } from '../../src/resources/products/input-schema.ts'
import { SETTING_TYPES } from '../../src/resources/products/settings-schema.ts'
import { ReviewUpdate } from '../../src/resources/reviews/schema.ts'
import { AddressesUpdate, ProductAddressesUpdate } from '../../src/resources/stores/addresses-schema.ts'
import { StoreUpdate } from '../../src/resources/stores/schema.ts'
import { TaxSettingsUpdate } from '../../src/resources/taxes/schema.ts'
import { WebhookChange } from '../../src/resources/webhooks/schema.ts'
import { EFFECTS } from './settings.ts'

const named = (entity: string, { properties }: { readonly properties: object }) =>
  Object.keys(properties).map((field) => `${entity} ${field}`)

/** Every setting of a seller, as the schemas take it. */
const ALL = [
  ...named('product', ProductUpdate),
  ...Object.values(SETTING_TYPES).flatMap(({ schema }) => named('setting', schema)),
  ...named('plan', PlanUpdate),
  ...named('price', PricingUpdate),
  ...named('coupon', CouponUpdate),
  ...SPECIAL_TYPES.map((type) => `special coupon ${type}`),
  ...named('store', StoreUpdate),
  ...named('taxes', TaxSettingsUpdate),
  ...named('feature', FeatureUpdate),
  ...named('feature of plan', FeatureValue),
  ...named('info', InfoUpdate),
  ...named('review', ReviewUpdate),
  ...named('addresses of store', AddressesUpdate),
  ...named('addresses of product', ProductAddressesUpdate),
  ...named('version', DeploymentUpdate),
  ...named('license', LicenseUpdate),
  ...named('listener', WebhookChange),
  ...named('member', MemberChange),
]

test('each setting has an effect that is named, and none is named that there is not', () => {
  assert.deepEqual(Object.keys(EFFECTS).toSorted(), [...new Set(ALL)].toSorted())
  for (const [name, { does }] of Object.entries(EFFECTS)) assert.ok(does.length > 10, name)
})

test('each effect is shown by a test that is there', async () => {
  const texts = new Map<string, string>()
  for (const effect of Object.values(EFFECTS)) {
    if (!('file' in effect)) continue
    const { file, title } = effect
    const text = texts.get(file) ?? (await readFile(file, 'utf8'))
    texts.set(file, text)
    assert.ok(text.includes(title), `${file}: ${title}`)
  }
})
