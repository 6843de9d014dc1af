// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { Webhook } from 'standardwebhooks'
import { addressOf, openPlace, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { toUtcTime } from '../lib/time.ts'
import { createSeller } from '../../test/factories.ts'
import { startReceiver, type Receiver } from '../../test/webhooks.ts'
import { transaction, type Context } from '../context.ts'
import { deliverEvents } from '../events/delivery/deliver-events-job.ts'
import { runDue } from '../jobs/worker.ts'
import { sandboxToken } from '../sales/checkouts/signatures.ts'
import { Cli } from './cli.ts'
import { withContext } from './open.ts'
import { addCommand } from './program.ts'
import { command } from './webhook.ts'

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
  const place = await openDemoPlace(t, 'webhook')
  const receiver = await startReceiver()
  const forwarded = await startReceiver()
  t.after(() => Promise.all([receiver.close(), forwarded.close()]))
  const env = { KEYWRIGHT_MODE: 'development' }
  const server = await place.start(['serve', '--demo'], { env })
  const product = ['--product', String(server.value['product_id'])]
  const types = OF_PURCHASE.join(',')
  const add = ['webhook', 'add', ...product, '--url', receiver.url, '--types', types]
  const { id, secret } = await place.ask(add, { env })
  const began = toUtcTime(Date.now())
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

  const [listed] = (await place.ask(['webhook', 'list', ...product])).webhooks
  assert.deepEqual([listed.id, listed.types], [id, OF_PURCHASE])
  const again = ['webhook', 'replay', id, ...product, '--state', 'processed', '--from', began]
  assert.deepEqual(await place.ask(again), { count })
  await has(receiver, 2 * count)
  assert.equal((await server.stop()).code, 0)
})

/** Keeps what a command says. */
class Saying extends Cli {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads results of every shape
  readonly values: any[] = []
  readonly texts: string[] = []

  override result(value: object, text: string): void {
    this.values.push(value)
    this.texts.push(text)
  }
}

test('a listener is changed, switched, given another secret and removed; the list says why it fails', async (t) => {
  const place = await openPlace(t, 'webhook-commands')
  const env = { ...place.env, KEYWRIGHT_MODE: 'development', LOG_LEVEL: 'silent' }
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  receiver.answer = (response) => response.writeHead(500).end()
  const { id: productId } = await inContext(env, (ctx) => transaction(ctx, createSeller)).then(
    ({ product }) => product,
  )
  const said = new Saying([], env)
  const ask = async (...args: string[]) => {
    const program = new Command().exitOverride().configureOutput({ writeErr() {} })
    addCommand(program, 'webhook', command, said)
    await program.parseAsync(['webhook', ...args, '--product', String(productId)], { from: 'user' })
    return said.values.at(-1)
  }
  const refused = (code: string, ...args: string[]) => assert.rejects(ask(...args), { code })
  await refused('bad_types', 'add', '--url', receiver.url, '--types', 'license.craeted')
  const { id } = await ask('add', '--url', receiver.url, '--types', 'user.created')
  await ask('test', id)
  await inContext(env, (ctx) => runDue(ctx, [deliverEvents]))
  const [listed] = (await ask('list')).webhooks
  assert.deepEqual([listed.failures, listed.last_error], [1, 'answered 500'])
  assert.match(said.texts.at(-1) ?? '', /user\.created .* answered 500$/m)
  await receiver.close()
  await ask('test', id)
  await inContext(env, (ctx) => runDue(ctx, [deliverEvents]))
  assert.match((await ask('list')).webhooks[0].last_error, /ECONNREFUSED/)

  await refused('commander.missingMandatoryOptionValue', 'update', id)
  await refused('bad_url', 'update', id, '--url', 'http://10.0.0.1/')
  await refused('bad_types', 'update', id, '--types', 'nothing')
  const url = 'https://hooks.example.com/here'
  const changed = await ask('update', id, '--url', url, '--types', '')
  assert.deepEqual([changed.url, changed.types], [url, null])
  assert.equal((await ask('disable', id)).is_active, false)
  await refused('webhook_inactive', 'test', id)
  const on = await ask('enable', id)
  assert.deepEqual([on.is_active, on.failures], [true, 0])
  const rotated = await ask('rotate', id, '--overlap-hours', '2')
  assert.match(rotated.secret, /^whsec_/)
  assert.equal(rotated.id, id)
  assert.ok(rotated.previous_secret_until)
  assert.equal((await ask('rotate', id, '--overlap-hours', '0')).previous_secret_until, null)
  await ask('remove', id)
  await refused('not_found', 'remove', id)
  assert.deepEqual(await ask('list'), { webhooks: [] })
  const done = await inContext(env, (ctx) =>
    ctx.db.selectFrom('audit_log').select('details').where('action', 'like', 'cli/webhook%').execute(),
  )
  assert.deepEqual(
    done.map(({ details }) => JSON.parse(details)),
    Array.from({ length: 9 }, () => ({ webhook: Number(id) })),
  )
})

const inContext = <T>(env: Record<string, string>, work: (ctx: Context) => Promise<T>) =>
  withContext(new Cli([], env), work)
