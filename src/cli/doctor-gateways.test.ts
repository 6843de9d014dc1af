// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/app.ts'
import { startPaypal } from '../../test/paypal/server.ts'
import { ask } from '../../test/serve.ts'
import { subscribed } from '../../test/subscriptions.ts'

test('the doctor names a gateway that is not set up and the renewals that need it', async (t) => {
  const app = await startTestApp('doctor_gateways')
  t.after(() => app.close())
  const doctor = async () => {
    const { text } = await ask(app.databaseOptions, ['doctor', '--json'])
    const { checks } = JSON.parse(text) as { checks: { check: string; status: string; message: string }[] }
    return checks.find(({ check }) => check === 'gateways')
  }
  await subscribed(app)
  const { subscription } = await subscribed(app)
  assert.equal((await doctor())?.status, 'ok')
  await app.write(({ db }) =>
    db
      .updateTable('payment_methods')
      .set({ gateway: 'stripe' })
      .where('id', '=', subscription.payment_method_id)
      .execute(),
  )
  const found = await doctor()
  assert.deepEqual(
    [found?.status, found?.message],
    ['warn', 'stripe is not set up for the sandbox, and renewals that need it wait: 1'],
  )
})

test('the doctor names a gateway whose key is for the other environment', async (t) => {
  const app = await startTestApp('doctor_environment')
  t.after(() => app.close())
  await subscribed(app, { more: { environment: 0 } })
  const { text } = await ask(app.databaseOptions, ['doctor', '--json'])
  assert.match(text, /test is not set up for live payments, and renewals that need it wait: 1/)
})

test('the doctor asks each gateway that is set up whether it takes its credentials', async (t) => {
  const paypal = await startPaypal()
  t.after(() => paypal.close())
  const app = await startTestApp('doctor_credentials')
  t.after(() => app.close())
  const env = {
    KEYWRIGHT_BASE_URL: 'https://shop.example',
    KEYWRIGHT_PAYPAL_CLIENT_ID: paypal.config.clientId,
    KEYWRIGHT_PAYPAL_CLIENT_SECRET: paypal.config.clientSecret,
    KEYWRIGHT_PAYPAL_WEBHOOK_ID: paypal.config.webhookId,
    KEYWRIGHT_PAYPAL_MODE: 'sandbox',
    KEYWRIGHT_PAYPAL_API_BASE: paypal.config.apiBase ?? '',
  }
  const wrong = { ...env, KEYWRIGHT_PAYPAL_CLIENT_SECRET: 'secret-of-somebody' }
  for (const [set, status] of [
    [env, 'ok'],
    [wrong, 'fail'],
  ] as const) {
    const { text } = await ask(app.databaseOptions, ['doctor', '--json'], set)
    const { checks } = JSON.parse(text) as { checks: { check: string; status: string }[] }
    assert.equal(checks.find(({ check }) => check === 'paypal')?.status, status, text)
  }
})
