// Runs on sqlite.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from './app.ts'
import { trialShop, type TrialShop } from './trials.ts'

let app: TestApp
let shop: TrialShop
let section = ''
before(async () => {
  app = await startTestApp('signed_address')
  shop = await trialShop(app)
  const text = await readFile(join(import.meta.dirname, '../docs/checkout.md'), 'utf8')
  section = /\n## Where the buyer is led\n([^]*?)\n## /.exec(text)?.[1] ?? ''
})
after(() => app.close())

interface Documented {
  isSigned(address: string, secretKey: string): boolean
}

const documented = async () => {
  const [, code = ''] = /```js\n([^]*?)```/.exec(section) ?? []
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Documented
}

/** Where the buyer of something is led. */
async function ledTo(body: object, method?: string): Promise<string> {
  const redirect_url = 'https://shop.example/thank%20you?from=mail%20one&signature=old'
  const { json } = await shop.open({ ...shop.someone(), redirect_url, ...body })
  const paid = await shop.pay(json.id, method)
  assert.equal(paid.json.state, 'paid', paid.text)
  return paid.json.redirect_url
}

test('the check that the documents show takes the address that a checkout has signed, and no other', async () => {
  const { isSigned } = await documented()
  const { secretKey, publicKey } = app.seller.product
  const address = await ledTo({ plan_id: shop.free.planId }, 'test_succeeds')
  assert.equal(isSigned(address, secretKey), true)
  assert.equal(isSigned(address, publicKey), false)
  for (const other of [
    address.replace('amount=', 'amount=1'),
    address.replace('https://shop.example', 'https://evil.example'),
    `${address}&payment_id=1`,
    address.replace(/&signature=.*/, ''),
    address.replace(/.$/, ''),
    '',
  ])
    assert.equal(isSigned(other, secretKey), false, other)
  const vector =
    'https://app.example/thanks?user_id=5&plan_id=2&email=a%40b.co&pricing_id=3&currency=usd&license_id=9&quota=1&action=purchase'
  const signature = '7a3f407fa5d6dc710fa89c9df6003db612ceaf2029dd21ce512cc2ddf02ddf02'
  assert.equal(isSigned(`${vector}&signature=${signature}`, 'sk_TESTSECRETKEY0000000000000001'), true)
})

test('the values that the documents name are those that the address has', async () => {
  const named = [...section.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const addresses = [
    await ledTo({ plan_id: shop.free.planId }, 'test_succeeds'),
    await ledTo({ plan_id: shop.paid.planId, trial: 'true' }, 'test_succeeds'),
    await ledTo({ plan_id: shop.free.planId, trial: 'true' }),
  ]
  const seen = new Set(addresses.flatMap((address) => [...new URL(address).searchParams.keys()]))
  seen.delete('from')
  assert.deepEqual(named.toSorted(), [...seen].toSorted())
})
