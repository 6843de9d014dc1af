import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { networkCheck } from './lib/networks.ts'
import { ConfigError } from './lib/config-error.ts'

const SECRET = 's'.repeat(32)
const refused = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    assert.ok(!error.message.includes('\n'), 'one line')
    return error.message
  }
  return assert.fail(`accepted ${JSON.stringify(env)}`)
}

test('without any variable: production mode on 127.0.0.1:8080, embedded database, secret in the data folder', () => {
  const config = readConfig({})
  assert.deepEqual(
    [config.mode, config.host, config.port, config.database, config.secret, config.logLevel],
    ['production', '127.0.0.1', 8080, { engine: 'sqlite' }, null, 'info'],
  )
})

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ PORT: ' ', DATABASE_URL: '' }).port, 8080)
})

test('a bad value says the variable, what it must be and what it was', () => {
  assert.equal(refused({ PORT: 'abc' }), "PORT must be a whole number from 0 to 65535, got 'abc'")
  assert.equal(
    refused({ KEYWRIGHT_MODE: 'prod' }),
    "KEYWRIGHT_MODE must be one of production, development, got 'prod'",
  )
  for (const env of [
    { PORT: '65536' },
    { PORT: '1e3' },
    { PORT: '-1' },
    { LOG_LEVEL: 'loud' },
    { KEYWRIGHT_BASE_URL: 'ftp://x' },
    { KEYWRIGHT_BASE_URL: 'https://x/?q' },
    { KEYWRIGHT_TRUST_PROXY: '10.0.0.0/33' },
    { KEYWRIGHT_TRUST_PROXY: 'proxy.local' },
    { KEYWRIGHT_CORS_ORIGINS: 'https://a.example.com/path' },
    { KEYWRIGHT_RATE_FAILED: '10' },
    { KEYWRIGHT_RATE_FAILED: '0/5' },
    { DATABASE_POOL: '0' },
    { DATABASE_NAMED_STATEMENTS: 'yes' },
  ]) {
    const [[name, value] = []] = Object.entries(env)
    assert.match(
      refused(env),
      new RegExp(`^${name} must be .+, got '${value?.replaceAll(/[.?/]/g, '\\$&')}'$`),
    )
  }
})

test('a secret is never echoed, nor is the password of a database address', () => {
  assert.ok(!refused({ KEYWRIGHT_SECRET: 'short-secret' }).includes('short-secret'))
  assert.ok(!refused({ DATABASE_URL: 'mysql://u:hunter2@h/d', KEYWRIGHT_SECRET: SECRET }).includes('hunter2'))
})

test('a secret has no comma, so that it can stand among the previous ones', () => {
  const message = refused({ KEYWRIGHT_SECRET: `${SECRET},${SECRET}` })
  assert.match(message, /^KEYWRIGHT_SECRET must not have a comma, /)
  assert.ok(!message.includes('sss'))
  const { secret } = readConfig({
    KEYWRIGHT_SECRET: SECRET,
    KEYWRIGHT_SECRET_PREVIOUS: `${'a'.repeat(32)}, ${'b'.repeat(32)}`,
  })
  assert.deepEqual(secret?.previous, ['a'.repeat(32), 'b'.repeat(32)])
})

test('with DATABASE_URL a missing secret stops the start', () => {
  assert.match(
    refused({ DATABASE_URL: 'postgres://u@h/d' }),
    /^KEYWRIGHT_SECRET must be set with DATABASE_URL/,
  )
  const config = readConfig({ DATABASE_URL: 'postgres://u@h/d', KEYWRIGHT_SECRET: SECRET })
  assert.equal(config.database.engine, 'postgres')
})

test('a previous secret needs a current one', () => {
  assert.match(refused({ KEYWRIGHT_SECRET_PREVIOUS: SECRET }), /^KEYWRIGHT_SECRET must be set/)
})

test('networks hold addresses, ranges and loopback', () => {
  const { trustProxy } = readConfig({ KEYWRIGHT_TRUST_PROXY: '10.0.0.0/8, 192.168.1.7, loopback, fd00::/8' })
  const trusts = networkCheck(trustProxy)
  assert.deepEqual(
    ['10.1.2.3', '192.168.1.7', '192.168.1.8', '127.9.9.9', '::1', 'fd00::5', 'fe80::1', 'nonsense'].map(
      trusts,
    ),
    [true, true, false, true, true, true, false, false],
  )
})

test('rates are "per second/burst"', () => {
  const { rate } = readConfig({ KEYWRIGHT_RATE_AUTHENTICATED: '2.5/10' })
  assert.deepEqual(rate.authenticated, { perSecond: 2.5, burst: 10 })
  assert.deepEqual(rate.failed, { perSecond: 10, burst: 40 })
})

test('reCAPTCHA is checked at Google when its secret is set, and not at all without', () => {
  assert.equal(readConfig({}).recaptcha, null)
  const { recaptcha } = readConfig({ KEYWRIGHT_RECAPTCHA_SECRET: 'secret' })
  assert.deepEqual(
    [recaptcha?.secret, recaptcha?.verifyUrl],
    ['secret', 'https://www.google.com/recaptcha/api/siteverify'],
  )
})

test('Stripe is configured by a key and the secret of its webhooks together, and neither is echoed', () => {
  const key = { KEYWRIGHT_STRIPE_SECRET_KEY: 'sk_live_abc' }
  const webhook = { KEYWRIGHT_STRIPE_WEBHOOK_SECRET: 'whsec_abc' }
  assert.equal(readConfig({}).stripe, null)
  assert.deepEqual(
    readConfig({ ...key, ...webhook, KEYWRIGHT_STRIPE_API_BASE: 'http://127.0.0.1:1/' }).stripe,
    {
      secretKey: 'sk_live_abc',
      webhookSecret: 'whsec_abc',
      apiBase: 'http://127.0.0.1:1',
    },
  )
  assert.match(refused(key), /^KEYWRIGHT_STRIPE_WEBHOOK_SECRET must begin with whsec_/)
  assert.match(refused(webhook), /^KEYWRIGHT_STRIPE_SECRET_KEY must begin with sk_live_/)
  const publishable = refused({ ...webhook, KEYWRIGHT_STRIPE_SECRET_KEY: 'pk_live_hunter2' })
  assert.ok(!publishable.includes('hunter2'))
  assert.ok(!refused({ ...key, KEYWRIGHT_STRIPE_WEBHOOK_SECRET: 'hunter2' }).includes('hunter2'))
})

test('VAT ids are checked at the office of the union unless that is off or elsewhere', () => {
  assert.match(readConfig({}).viesUrl ?? '', /^https:\/\/ec\.europa\.eu\//)
  assert.equal(readConfig({ KEYWRIGHT_VIES_URL: 'off' }).viesUrl, null)
  assert.equal(readConfig({ KEYWRIGHT_VIES_URL: 'http://127.0.0.1:1' }).viesUrl, 'http://127.0.0.1:1')
})

test('SMTP is set by one address or in parts, with STARTTLS unless it says otherwise; mail goes to a folder without', () => {
  const smtpOf = (env: Record<string, string>) => readConfig(env).mail.smtp
  assert.deepEqual(readConfig({}).mail, { smtp: null, from: null })
  const login = { user: 'shop', password: 'p@ss/w' }
  assert.deepEqual(smtpOf({ SMTP_URL: 'smtps://shop:p%40ss%2Fw@mail.example.com' }), {
    host: 'mail.example.com',
    port: 465,
    security: 'tls',
    login,
  })
  const parts = { SMTP_HOST: 'mail.example.com', SMTP_USER: 'shop', SMTP_PASSWORD: 'p@ss/w' }
  const byParts = { host: 'mail.example.com', port: 587, security: 'starttls', login }
  assert.deepEqual(smtpOf(parts), byParts)
  assert.deepEqual(smtpOf({ SMTP_URL: 'smtp://shop:p%40ss%2Fw@mail.example.com' }), byParts)
  assert.deepEqual(smtpOf({ SMTP_URL: 'smtp://[::1]:2525', SMTP_SECURITY: 'none' }), {
    host: '::1',
    port: 2525,
    security: 'none',
    login: null,
  })
  assert.deepEqual(readConfig({ MAIL_FROM: 'The Shop <mail@shop.example.com>' }).mail.from, {
    name: 'The Shop',
    address: 'mail@shop.example.com',
  })
})

test('mail settings that cannot be used stop the start, and tell no password', () => {
  const password = 'hunter2'
  for (const [env, name] of [
    [{ SMTP_URL: `https://u:${password}@h` }, 'SMTP_URL'],
    [{ SMTP_URL: `smtp://u:${password}@h/path` }, 'SMTP_URL'],
    [{ SMTP_URL: `smtp://u:${password}%@h` }, 'SMTP_URL'],
    [{ SMTP_URL: `smtp://u:${password}@h`, SMTP_HOST: 'h' }, 'SMTP_URL'],
    [{ SMTP_URL: `smtp://u:${password}@h`, SMTP_SECURITY: 'none' }, 'SMTP_SECURITY'],
    [{ SMTP_HOST: 'h', SMTP_SECURITY: 'ssl' }, 'SMTP_SECURITY'],
    [{ SMTP_HOST: 'h', SMTP_PORT: '0' }, 'SMTP_PORT'],
    [{ SMTP_HOST: 'h\r\nx' }, 'SMTP_HOST'],
    [{ SMTP_HOST: 'h', SMTP_PASSWORD: password }, 'SMTP_USER'],
    [{ MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'x\u202e <a@b.example>' }, 'MAIL_FROM'],
  ] as const) {
    const message = refused(env as unknown as Record<string, string>)
    assert.match(message, new RegExp(`^${name} (must|and)`))
    assert.ok(!message.includes(password))
  }
})

test('the token of /metrics is as long as a secret, and is not told', () => {
  const readIt = (token: string) => readConfig({ KEYWRIGHT_METRICS_TOKEN: token })
  assert.equal(readIt('m'.repeat(32)).metricsToken, 'm'.repeat(32))
  assert.throws(() => readIt('a'), {
    message: 'KEYWRIGHT_METRICS_TOKEN must have at least 32 characters, got 1 characters',
  })
})

test('PayPal is configured by an app, its webhook and its mode together, and no secret is echoed', () => {
  const app = {
    KEYWRIGHT_PAYPAL_CLIENT_ID: 'client-of-a-shop',
    KEYWRIGHT_PAYPAL_CLIENT_SECRET: 'hunter2-of-a-shop',
  }
  const webhook = { KEYWRIGHT_PAYPAL_WEBHOOK_ID: '8PT597110X687430L' }
  const mode = { KEYWRIGHT_PAYPAL_MODE: 'live' }
  assert.equal(readConfig({}).paypal, null)
  assert.equal(readConfig(mode).paypal, null)
  assert.deepEqual(
    readConfig({ ...app, ...webhook, ...mode, KEYWRIGHT_PAYPAL_API_BASE: 'http://127.0.0.1:1/' }).paypal,
    {
      clientId: 'client-of-a-shop',
      clientSecret: 'hunter2-of-a-shop',
      webhookId: '8PT597110X687430L',
      mode: 'live',
      apiBase: 'http://127.0.0.1:1',
    },
  )
  assert.match(refused({ ...app, ...mode }), /^KEYWRIGHT_PAYPAL_WEBHOOK_ID must be the id of a webhook/)
  assert.match(refused({ ...app, ...webhook }), /^KEYWRIGHT_PAYPAL_MODE must be live or sandbox/)
  const other = { ...app, ...webhook, KEYWRIGHT_PAYPAL_MODE: 'production' }
  assert.match(refused(other), /^KEYWRIGHT_PAYPAL_MODE must be live or sandbox/)
  for (const wrong of [
    { ...webhook, ...mode },
    { ...app, ...webhook, ...mode, KEYWRIGHT_PAYPAL_CLIENT_SECRET: 'hunter2 with spaces' },
    { ...app, ...webhook, ...mode, KEYWRIGHT_PAYPAL_CLIENT_ID: 'short' },
  ]) {
    assert.match(refused(wrong), /^KEYWRIGHT_PAYPAL_CLIENT_ID and KEYWRIGHT_PAYPAL_CLIENT_SECRET must be/)
    assert.doesNotMatch(refused(wrong), /hunter2/)
  }
})

test('the button of PayPal is shown where it is switched on', () => {
  const paypal = {
    KEYWRIGHT_PAYPAL_CLIENT_ID: 'client-of-a-shop',
    KEYWRIGHT_PAYPAL_CLIENT_SECRET: 'hunter2-of-a-shop',
    KEYWRIGHT_PAYPAL_WEBHOOK_ID: '8PT597110X687430L',
    KEYWRIGHT_PAYPAL_MODE: 'live',
  }
  const shown = (said: object) => readConfig({ ...paypal, ...said }).paypal?.hasButton
  assert.deepEqual(
    [shown({}), shown({ KEYWRIGHT_PAYPAL_BUTTON: 'off' }), shown({ KEYWRIGHT_PAYPAL_BUTTON: 'on' })],
    [undefined, undefined, true],
  )
  assert.match(
    refused({ ...paypal, KEYWRIGHT_PAYPAL_BUTTON: 'yes' }),
    /^KEYWRIGHT_PAYPAL_BUTTON must be on or off/,
  )
})

test('each gateway is offered in the currencies and countries that are set, and to all without', () => {
  const stripe = { KEYWRIGHT_STRIPE_SECRET_KEY: 'sk_live_abc', KEYWRIGHT_STRIPE_WEBHOOK_SECRET: 'whsec_abc' }
  const paypal = {
    KEYWRIGHT_PAYPAL_CLIENT_ID: 'client-of-a-shop',
    KEYWRIGHT_PAYPAL_CLIENT_SECRET: 'hunter2-of-a-shop',
    KEYWRIGHT_PAYPAL_WEBHOOK_ID: '8PT597110X687430L',
    KEYWRIGHT_PAYPAL_MODE: 'live',
  }
  const all = { ...stripe, ...paypal }
  assert.equal(readConfig(all).stripe?.offered, undefined)
  const set = {
    KEYWRIGHT_STRIPE_CURRENCIES: 'usd, EUR',
    KEYWRIGHT_PAYPAL_CURRENCIES: 'gbp',
    KEYWRIGHT_PAYPAL_COUNTRIES: 'us,DE, gb',
  }
  const config = readConfig({ ...all, ...set })
  assert.deepEqual(config.stripe?.offered, { currencies: ['usd', 'eur'] })
  assert.deepEqual(config.paypal?.offered, { currencies: ['gbp'], countries: ['US', 'DE', 'GB'] })
  assert.equal(
    refused({ ...all, KEYWRIGHT_STRIPE_CURRENCIES: 'usd,jpy' }),
    "KEYWRIGHT_STRIPE_CURRENCIES must be a list of usd, eur, gbp, got 'jpy'",
  )
  assert.equal(
    refused({ ...all, KEYWRIGHT_PAYPAL_COUNTRIES: 'us,England' }),
    "KEYWRIGHT_PAYPAL_COUNTRIES must be a list of codes of countries such as US,CA, got 'England'",
  )
})
