import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { countStatements } from '../../../test/count-statements.ts'
import { systemScope } from '../../access/scope.ts'
import { createFeature, setFeatureValue } from '../../catalogue/plans/features.ts'
import { createPricing } from '../../catalogue/plans/pricing.ts'
import { createPlan } from '../../catalogue/plans/service.ts'
import { startServer } from '../../start.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('pricing-table-state')
  developer = await asDeveloper(app)
})
after(() => app.close())

const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const table = (query = '', headers: Record<string, string> = {}) =>
  app.call('GET', `/products/${app.seller.product.id}/pricing.json${query}`, { headers })
const tagOf = async (query = '') => (await table(query)).headers.get('etag') ?? ''

test('who has the state of the table is sent nothing', async () => {
  const first = await table()
  const tag = first.headers.get('etag') ?? ''
  assert.match(tag, /^W\/"[\w.-]+"$/)
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
    const again = await table('', { 'if-none-match': known })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], known)
    assert.equal(again.headers.get('content-length'), null)
    assert.equal(again.headers.get('x-api-server'), 'keywright')
  }
})

test('every change of what the table shows is another state', async () => {
  const plan = (await write('POST', '/plans.json', { name: 'stated' })).json.id
  const feature = (await write('POST', '/features.json', { title: 'Stated' })).json.id
  const { pricing } = (await write('POST', `/plans/${plan}/pricing.json`, { annual_price: 5 })).json
  const review = await app.call('POST', `/products/${app.seller.product.id}/reviews.json`, {
    body: { rate: 100, name: 'Ada', text: 'It works.', title: 'Great', is_featured: true },
  })
  assert.ok(review.status < 300, review.text)
  const changes = [
    ['POST', '/plans.json', { name: 'another' }],
    ['PUT', `/plans/${plan}.json`, { title: 'Renamed' }],
    ['POST', `/plans/${plan}/pricing.json`, { annual_price: 7, licenses: 5 }],
    ['PUT', `/plans/${plan}/pricing/${pricing.id}.json`, { annual_price: 6 }],
    ['POST', `/plans/${plan}/pricing/clone.json`, { to_currency: 'eur' }],
    ['DELETE', `/plans/${plan}/pricing/${pricing.id}.json`],
    ['POST', '/features.json', { title: 'Another' }],
    ['PUT', `/features/${feature}.json`, { title: 'Renamed' }],
    ['PUT', `/plans/${plan}/features/${feature}.json`, { value: '5' }],
    ['DELETE', `/plans/${plan}/features/${feature}.json`],
    ['DELETE', `/features/${feature}.json`],
    ['DELETE', `/plans/${plan}.json`],
    ['PUT', '.json', { title: 'Another title' }],
    ['PUT', `/reviews/${review.json.id}.json`, { title: 'Better' }],
    ['DELETE', `/reviews/${review.json.id}.json`],
  ] as const
  for (const [method, path, body] of changes) {
    const known = await tagOf()
    const { status, text } = await write(method, path, body)
    assert.ok(status < 300, `${method} ${path} ${text}`)
    assert.equal((await table('', { 'if-none-match': known })).status, 200, `${method} ${path}`)
  }
})

test('another question has another state', async () => {
  const queries = [
    '',
    'currency=eur',
    'type=visible',
    'show_pending=1',
    'is_enriched=1',
    'trial=1',
    'trial=0',
  ]
  const tags = await Promise.all(queries.map((query) => tagOf(`?${query}`)))
  assert.equal(new Set(tags).size, queries.length)
})

test('a table costs four statements beside the credential, whatever its size, and one when its state is known', async (t) => {
  const { developer: seller, other } = app.seller
  const counted = countStatements(app.ctx.db, app.ctx.database.engine)
  const server = await startServer({ ...app.ctx, db: counted.db })
  t.after(() => server.stop())
  const scope = systemScope({ developerId: seller.id, productId: other.id })
  const ask = async (headers: Record<string, string> = {}) => {
    counted.taken()
    const reply = await fetch(`${server.address}/v1/products/${other.id}/pricing.json?is_enriched=true`, {
      headers: { authorization: `Bearer ${other.token}`, ...headers },
    })
    const text = await reply.text()
    const read = counted.taken()
    const ofCredential = read.filter((statement) => statement.includes('"api_tokens"'))
    assert.equal(ofCredential.length, 1)
    return { reply, text, beside: read.length - ofCredential.length }
  }
  const costs = async () => {
    const { reply, text, beside } = await ask()
    assert.equal(reply.status, 200, text)
    const { plans } = JSON.parse(text) as { plans: unknown[] }
    const known = await ask({ 'if-none-match': reply.headers.get('etag') ?? '' })
    assert.equal(known.reply.status, 304)
    return { whole: beside, known: known.beside, plans: plans.length }
  }
  assert.deepEqual(await costs(), { whole: 4, known: 1, plans: 0 })
  await app.write(async (tx) => {
    const flags = { is_free_localhost: true, is_block_features: true, is_block_features_monthly: true }
    for (let n = 0; n < 8; n++) {
      const plan = await createPlan(tx, scope, { ...flags, license_type: 0, name: `size-${n}` })
      const planId = Number(plan.id)
      for (let licenses = 1; licenses <= 6; licenses++)
        await createPricing(tx, scope, planId, { licenses, annual_price: n + licenses })
      const feature = await createFeature(tx, scope, { title: `Size ${n}`, is_featured: true })
      await setFeatureValue(tx, scope, { plan_id: planId, feature_id: Number(feature.id) }, 'yes')
    }
  })
  assert.deepEqual(await costs(), { whole: 4, known: 1, plans: 8 })
})
