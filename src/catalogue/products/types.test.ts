import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('product_types')
  developer = await asDeveloper(app)
})
after(() => app.close())

const create = (body: object) => developer('POST', '/products.json', body)
const unitOf = async (id: string) => {
  const { json } = await developer('GET', `/products/${id}/settings.json`)
  const settings: readonly { readonly setting_type: number; readonly data: string }[] = json.settings
  const { data } = settings.find(({ setting_type: type }) => type === 3) ?? assert.fail()
  return JSON.parse(data)
}

test('a product beside WordPress is answered as a type that clients know, with its own as the label, and counts its licenses in a unit that fits it', async () => {
  for (const [type, singular, plural] of [
    ['app', 'Device', 'Devices'],
    ['desktop', 'Device', 'Devices'],
    ['saas', 'Seat', 'Seats'],
    ['library', 'Project', 'Projects'],
  ] as const) {
    const { status, json, text } = await create({ title: `A ${type}`, type })
    assert.deepEqual([status, json.type, json.type_alias], [200, 'widget', type], text)
    assert.equal(json.is_sdk_required, false)
    assert.deepEqual(await unitOf(json.id), {
      selling_unit_singular: singular,
      selling_unit_plural: plural,
    })
  }
  const plugin = await create({ title: 'A plugin' })
  assert.deepEqual([plugin.json.type, plugin.json.type_alias], ['plugin', ''])
  assert.equal((await unitOf(plugin.json.id)).selling_unit_singular, 'Unit')
})

test('another label beside such a type, and a bundle of one, are refused', async () => {
  const fieldOf = async (body: object) => {
    const { status, json } = await create({ title: 'Refused', ...body })
    return [status, json.error.details[0].field]
  }
  assert.deepEqual(await fieldOf({ type: 'desktop', type_alias: 'extension' }), [400, 'type_alias'])
  assert.deepEqual(await fieldOf({ type: 'saas', is_bundle: true }), [400, 'type'])
  assert.deepEqual(await fieldOf({ type: 'toaster' }), [400, 'type'])
  const same = await create({ title: 'Same', type: 'desktop', type_alias: 'Desktop' })
  assert.deepEqual([same.status, same.json.type_alias], [200, 'desktop'])
})

test('a type is changed to one of these and back, and who sends back what was answered changes nothing', async () => {
  const { json: made } = await create({ title: 'Changing', type: 'theme' })
  const put = async (body: object) => {
    const { status, json, text } = await developer('PUT', `/products/${made.id}.json`, body)
    assert.equal(status, 200, text)
    return [json.type, json.type_alias]
  }
  assert.deepEqual(await put({ type: 'saas' }), ['widget', 'saas'])
  const { json: shown } = await developer('GET', `/products/${made.id}.json`)
  assert.deepEqual(await put({ title: 'Changed', type: shown.type }), ['widget', 'saas'])
  assert.deepEqual(await put({ type: 'library' }), ['widget', 'library'])
  assert.deepEqual(await put({ type: 'template' }), ['template', ''])
})
