import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_choices')
  shop = await changeShop(app)
})
after(() => app.close())

const chosenIn = ({ json: { plan, licenses, billing_cycle: cycle, currency, quote } }: Reply) =>
  [plan.name, licenses, cycle, currency, quote.gross].join(' ')

test('each argument that chooses what is bought chooses it, when a checkout opens and later', async () => {
  const { plans, base } = shop
  const { pricing } = expectOk(await app.call('GET', `${base}/plans/${plans.pro}/pricing.json`)).json
  const five = pricing.find(({ licenses }: { licenses: number | null }) => licenses === 5)
  const choices: Readonly<Record<string, object>> = {
    'pro 1 annual usd 200': { plan_id: plans.pro },
    'pro 5 annual usd 800': { pricing_id: five.id },
    'basic 1 monthly usd 10': { billing_cycle: 'monthly' },
    'basic 1 lifetime usd 300': { billing_cycle: 'lifetime' },
    'basic 1 annual eur 90': { currency: 'eur' },
  }
  const begun = await shop.open({})
  assert.equal(chosenIn(begun), 'basic 1 annual usd 100')
  for (const [chosen, body] of Object.entries(choices)) {
    assert.equal(chosenIn(await shop.open(body)), chosen)
    const { id } = (await shop.open({})).json
    assert.equal(chosenIn(await shop.call('PUT', `/${id}.json`, body)), chosen)
  }
  const ofPro = { plan_id: plans.pro }
  const many = { licenses: '5' }
  assert.equal(chosenIn(await shop.open({ ...ofPro, ...many })), 'pro 5 annual usd 800')
  const { id } = (await shop.open(ofPro)).json
  assert.equal(chosenIn(await shop.call('PUT', `/${id}.json`, many)), 'pro 5 annual usd 800')
  assert.equal(chosenIn(await shop.open({ default_currency: 'eur' })), 'basic 1 annual eur 90')
  const both = { default_currency: 'eur', currency: 'usd' }
  assert.equal(chosenIn(await shop.open(both)), 'basic 1 annual usd 100', 'what is chosen goes first')
})
