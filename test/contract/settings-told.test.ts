// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from '../../src/lib/type.ts'
import { LicenseUpdate } from '../../src/licensing/licenses/input-schema.ts'
import { FeatureUpdate, FeatureValue } from '../../src/catalogue/plans/feature-schema.ts'
import { PlanUpdate } from '../../src/catalogue/plans/schema.ts'
import { InfoUpdate } from '../../src/catalogue/products/info-schema.ts'
import { ProductUpdate } from '../../src/catalogue/products/input-schema.ts'
import { SETTING_TYPES } from '../../src/catalogue/products/settings-schema.ts'
import { ReviewUpdate } from '../../src/catalogue/reviews/schema.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { asDeveloper, asPublic, asUser, type CallAs } from '../callers.ts'
import { createAddon, createOffer } from '../catalogue.ts'
import { keysOf } from '../installs.ts'
import { sell } from '../sales.ts'
import { keywordsOf, plainOf } from '../security/values.ts'
import { EFFECTS } from './settings.ts'

let app: TestApp
let seller: CallAs
let addon: number
let readers: Readonly<Record<'stranger' | 'user', CallAs>>
/** Where the seller writes each entity, below its product. */
let paths: Readonly<Record<string, string>>

before(async () => {
  app = await startTestApp('settings_told')
  const { developer, store, product } = app.seller
  seller = await asDeveloper(app)
  const owned = { developerId: developer.id, storeId: store.id, productId: product.id }
  addon = await app.write(async (tx) => {
    const id = await createAddon(tx, owned, 'Forms')
    await createOffer(tx, { ...owned, productId: id }, 'basic')
    return id
  })
  const plan = await made('/plans.json', { name: 'basic' })
  const feature = await made('/features.json', { title: 'Exports' })
  const value = `/plans/${plan}/features/${feature}.json`
  await written(product.id, value, {})
  const listed = { name: 'Ada', rate: 80, text: 'It works.', is_featured: true }
  const review = await app.call('POST', `/products/${product.id}/reviews.json`, { body: listed })
  const { license, owner } = await sell(app)
  const user = await app.call('GET', `/products/${product.id}/users/${owner.id}.json`)
  readers = { stranger: asPublic(app), user: asUser(app, keysOf(user.json)) }
  paths = {
    product: '.json',
    setting: '/settings.json',
    plan: `/plans/${plan}.json`,
    feature: `/features/${feature}.json`,
    'feature of plan': value,
    info: '/info.json',
    review: `/reviews/${review.json.id}.json`,
    license: `/licenses/${license.id}.json`,
  }
})
after(() => app.close())

async function made(path: string, body: object): Promise<string> {
  const { status, json, text } = await seller('POST', `/products/${app.seller.product.id}${path}`, body)
  assert.ok(status < 300, text)
  return json.id
}

async function written(productId: number, path: string, body: object): Promise<void> {
  const { status, text } = await seller('PUT', `/products/${productId}${path}`, body)
  assert.ok(status < 300, `${path}: ${text}`)
}

const SCHEMAS: Readonly<Record<string, { readonly properties: Readonly<Record<string, TSchema>> }>> = {
  product: ProductUpdate,
  plan: PlanUpdate,
  feature: FeatureUpdate,
  'feature of plan': FeatureValue,
  info: InfoUpdate,
  review: ReviewUpdate,
  license: LicenseUpdate,
}

/** The schema of a field, and for a setting its type. */
function fieldOf(entity: string, name: string) {
  if (entity !== 'setting') return { schema: SCHEMAS[entity]?.properties[name] }
  for (const [type, { schema }] of Object.entries(SETTING_TYPES)) {
    const properties: Readonly<Record<string, TSchema>> = schema.properties
    if (properties[name]) return { type: Number(type), schema: properties[name] }
  }
  return { schema: undefined }
}

const PICTURES = ['https://shop.example.com/one.png', 'https://shop.example.com/two.png']

/** Two values of a field. */
function twoOf(schema: TSchema): readonly unknown[] {
  const { type, format = '', enum: choices, minimum = 1 } = keywordsOf(plainOf(schema))
  if (choices) return choices.slice(0, 2)
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return [minimum, minimum + 1]
  if (type === 'object') return PICTURES.map((screenshot_0) => ({ screenshot_0 }))
  if (format.startsWith('email')) return ['one@shop.example.com', 'two@shop.example.com']
  if (format === 'slug') return ['one', 'two']
  return format.startsWith('http') ? PICTURES : ['One', 'Two']
}

/** What stands in an answer at a path such as `plans.0.title`. */
const at = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], answer)

for (const [name, effect] of Object.entries(EFFECTS)) {
  if (!('told' in effect)) continue
  const { to, reply, at: path } = effect.told
  test(`${name} is read in ${reply} at ${path} as the seller writes it`, async () => {
    const entity = name.slice(0, name.lastIndexOf(' '))
    const field = name.slice(name.lastIndexOf(' ') + 1)
    const { schema, type } = fieldOf(entity, field)
    assert.ok(schema)
    const values = twoOf(schema)
    assert.notDeepEqual(values[0], values[1])
    for (const value of values) {
      const change = { [field]: value }
      const body = type === undefined ? change : { setting_type: type, data: JSON.stringify(change) }
      const productId = reply === '/addons.json' ? addon : app.seller.product.id
      await written(productId, paths[entity] ?? '', body)
      const answer = await readers[to]('GET', reply)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(at(answer.json, path), value)
    }
  })
}
