import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { addressOf, openPlace, type Started } from '../../test/command-line.ts'
import { startReceiver, type Receiver } from '../../test/webhooks.ts'
import { sandboxToken } from '../lib/checkout-signatures.ts'

/** What a purchase tells, in its order. */
const OF_PURCHASE = ['license.created', 'subscription.created', 'payment.created', 'cart.completed']

/** Resolves when a receiver has so many; fails after some seconds. */
async function has({ received }: Receiver, count: number): Promise<void> {
  for (let tries = 0; received.length < count; tries++) {
    assert.ok(tries < 500, `${received.length} of ${count} have come`)
    await sleep(10)
  }
}

const typesOf = ({ received }: Receiver) => received.map(({ event }) => event.type)

/** Buys in the sandbox of the demo's product. */
async function buy(server: Started, pricingId: number, email: string): Promise<void> {
  const { value } = server
  const context = String(Date.now())
  const keys = {
    productId: Number(value['product_id']),
    publicKey: value['product_public_key'] ?? '',
    secretKey: value['product_secret_key'] ?? '',
  }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${addressOf(server)}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${path}: ${text}`)
    return JSON.parse(text)
  }
  const { id } = await post('/checkout/sessions.json', {
    product_id: value['product_id'],
    sandbox: sandboxToken({ context, ...keys }),
    s_ctx_ts: context,
    country_code: 'us',
    pricing_id: pricingId,
    billing_cycle: 'annual',
    user_email: email,
  })
  await post(`/checkout/sessions/${id}/pay.json`, { payment_token: 'test_succeeds' })
}

test('a purchase reaches a listener of another process within a second, signed and in order, and one that only listens', async (t) => {
  const place = await openPlace(t, 'webhook')
  const receiver = await startReceiver()
  const forwarded = await startReceiver()
  t.after(() => Promise.all([receiver.close(), forwarded.close()]))
  const env = { KEYWRIGHT_MODE: 'development' }
  const server = await place.start(['serve', '--demo'], { env })
  const product = ['--product', String(server.value['product_id'])]
  const types = OF_PURCHASE.join(',')
  const add = ['webhook', 'add', ...product, '--url', receiver.url, '--types', types]
  const { id, secret } = await place.ask(add, { env })
  const pricing = await place.database.reader
    .selectFrom('pricing')
    .select('id')
    .where('product_id', '=', Number(server.value['product_id']))
    .where('annual_price', 'is not', null)
    .where('currency', '=', 'usd')
    .executeTakeFirstOrThrow()
  const secretHere = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const listening = place.launch(
    [
      'listen',
      ...product,
      '--server',
      addressOf(server),
      '--forward-to',
      forwarded.url,
      '--after',
      '0',
      '--json',
    ],
    {
      env: {
        KEYWRIGHT_API_TOKEN: server.value['api_token'] ?? '',
        KEYWRIGHT_WEBHOOK_SECRET: secretHere,
        KEYWRIGHT_PRODUCT_SECRET_KEY: server.value['product_secret_key'] ?? '',
      },
    },
  )
  await once(listening.child.stdout, 'data')

  // A busy machine has three tries to be in time.
  for (let tries = 1, late = Number.POSITIVE_INFINITY; late >= 1_000; tries++) {
    assert.ok(tries <= 3, `${late} ms late`)
    await buy(server, pricing.id, `grace${tries}@example.com`)
    const paidAt = performance.now()
    await has(receiver, 4 * tries)
    late = performance.now() - paidAt
  }
  const count = receiver.received.length
  assert.deepEqual(typesOf(receiver).slice(-4), OF_PURCHASE)
  for (const { headers, body } of receiver.received) {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    const plain = createHmac('sha256', server.value['product_secret_key'] ?? '').update(body)
    assert.equal(headers['x-signature'], plain.digest('hex'))
  }
  const bought = new Set(receiver.received.map(({ event }) => event.id))
  const oursOf = () => forwarded.received.filter(({ event }) => bought.has(event.id))
  while (oursOf().length < count) await has(forwarded, forwarded.received.length + 1)
  const ours = oursOf().slice(-4)
  assert.deepEqual(
    ours.map(({ event }) => event.type),
    OF_PURCHASE,
  )
  for (const { headers, body } of ours) {
    new Webhook(secretHere).verify(body, headers as Record<string, string>)
    const plain = createHmac('sha256', server.value['product_secret_key'] ?? '').update(body)
    assert.equal(headers['x-signature'], plain.digest('hex'))
  }
  listening.child.kill('SIGTERM')
  assert.equal((await listening.ended).code, 0)

  const { webhooks } = await place.ask(['webhook', 'list', ...product])
  assert.deepEqual([webhooks.length, webhooks[0].id, webhooks[0].types], [1, id, OF_PURCHASE])
  const again = ['webhook', 'replay', id, ...product, '--state', 'processed', '--from', '2020-01-01']
  assert.deepEqual(await place.ask(again), { count })
  await has(receiver, 2 * count)
  assert.equal((await server.stop()).code, 0)
})
