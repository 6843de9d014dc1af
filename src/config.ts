import { resolve } from 'node:path'
import { badSetting as bad, ConfigError } from './lib/config-error.ts'
import { SECRET_MIN_LENGTH } from './lib/keyring.ts'
import { readMailSettings, type MailSettings } from './lib/mail-settings.ts'
import { isNetwork } from './lib/networks.ts'
import { readPaypalSettings, type PaypalConfig } from './lib/paypal-settings.ts'
import { readS3Settings, type S3Settings } from './lib/s3-settings.ts'
import { readStripeSettings, type StripeConfig } from './lib/stripe-settings.ts'

export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

export interface Recaptcha {
  readonly secret: string
  readonly verifyUrl: string
  readonly timeoutMs: number
}

export interface Config {
  readonly mode: 'production' | 'development'
  readonly host: string
  readonly port: number
  /** Without a slash at the end; null: the address the server listens on. */
  readonly baseUrl: string | null
  /** Where links to a checkout lead, without a slash at the end; absent: to this server. */
  readonly checkoutUrl?: string
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly database:
    | { readonly engine: 'sqlite' }
    | {
        readonly engine: 'postgres'
        readonly url: string
        readonly poolSize: number
        readonly namedStatements: boolean
      }
  /** Null: generated into the data folder at first start (embedded database only). */
  readonly secret: { readonly current: string; readonly previous: readonly string[] } | null
  /** Addresses and networks of proxies whose `X-Forwarded-*` count. */
  readonly trustProxy: readonly string[]
  /** The header in which such a proxy says the country of a caller; absent: none does. */
  readonly countryHeader?: string
  /** How many may be connected at once: to the process, and from an address that is no trusted proxy. */
  readonly connections: { readonly all: number; readonly ofAddress: number }
  readonly corsOrigins: readonly string[]
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Lets callers that are not on loopback read `/metrics`. */
  readonly metricsToken: string | null
  readonly rate: {
    /** Failed authentications and key look-ups by address. */
    readonly failed: RateLimit
    /** Successful look-ups without a token, by key. */
    readonly keyed: RateLimit
    /** Authenticated calls by credential; null: no limit. */
    readonly authenticated: RateLimit | null
    /** Checkouts that are opened, changed or paid, each by address; absent: no limit. */
    readonly checkouts?: RateLimit
    /** What callers do that prove nothing, each thing by address; absent: no limit. */
    readonly strangers?: RateLimit
    /** What all such callers do together, by product; absent: no limit. */
    readonly products?: RateLimit
    /** Tries at the past of a buyer whose address was only typed, by caller and by address; absent: no limit. */
    readonly buyers?: RateLimit
    /** What an install writes; absent: no limit. */
    readonly installs?: RateLimit
    /** What is written with a pair of own keys and by its installs; sites at work by a key. Absent: no limit. */
    readonly pairs?: RateLimit
    /** Sites that a license is put on by its key, and installs made with keys of a user. Absent: no limit. */
    readonly licenses?: RateLimit
  }
  /** Checks `recaptcha_token` of a login; null: no login needs one. */
  readonly recaptcha: Recaptcha | null
  /** Moves money through Stripe; null: it does not. */
  readonly stripe: StripeConfig | null
  /** Moves money through PayPal; null: it does not. */
  readonly paypal: PaypalConfig | null
  /** Where VAT ids of the union are checked, without a slash at the end; null: nowhere. */
  readonly viesUrl: string | null
  readonly mail: MailSettings
  /** Where archives are kept; null: in the data folder. */
  readonly s3: S3Settings | null
  /** Addresses and networks that webhooks may be sent to though they are not public. */
  readonly webhookAllow: readonly string[]
  /** Days for which the event log is kept, and what listeners answered. */
  readonly kept: { readonly eventDays: number; readonly attemptDays: number }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the whole configuration from the environment; the first bad value is a ConfigError. */
export function readConfig(env: Environment): Config {
  const read = new Reader(env)
  const database = read.databaseUrl()
  const current = read.secret('KEYWRIGHT_SECRET')
  const previous = read
    .list('KEYWRIGHT_SECRET_PREVIOUS')
    .map((text) => read.secretText('KEYWRIGHT_SECRET_PREVIOUS', text))
  if (database.engine === 'postgres' && current === null) {
    throw new ConfigError(
      `KEYWRIGHT_SECRET must be set with DATABASE_URL (at least ${SECRET_MIN_LENGTH} characters, for instance from "openssl rand -base64 48"), got nothing`,
    )
  }
  if (current === null && previous.length > 0) {
    throw new ConfigError('KEYWRIGHT_SECRET must be set with KEYWRIGHT_SECRET_PREVIOUS, got nothing')
  }
  return {
    mode: read.choice('KEYWRIGHT_MODE', ['production', 'development']),
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', { min: 0, max: 65_535, otherwise: 8080 }),
    baseUrl: read.baseUrl(),
    ...read.checkoutUrl(),
    dataDir: resolve(read.text('KEYWRIGHT_DATA') ?? 'data'),
    database,
    secret: current === null ? null : { current, previous },
    trustProxy: read.networks('KEYWRIGHT_TRUST_PROXY'),
    ...read.header('KEYWRIGHT_COUNTRY_HEADER'),
    connections: {
      all: read.integer('KEYWRIGHT_CONNECTIONS', { min: 10, max: 99_999, otherwise: 20_000 }),
      ofAddress: read.integer('KEYWRIGHT_CONNECTIONS_OF_ADDRESS', { min: 10, max: 99_999, otherwise: 1_000 }),
    },
    corsOrigins: read
      .list('KEYWRIGHT_CORS_ORIGINS')
      .map((text) => read.origin('KEYWRIGHT_CORS_ORIGINS', text)),
    logLevel: read.choice('LOG_LEVEL', ['info', 'debug', 'warn', 'error', 'silent']),
    metricsToken: read.token('KEYWRIGHT_METRICS_TOKEN'),
    rate: ratesOf(read),
    recaptcha: recaptcha(read.text('KEYWRIGHT_RECAPTCHA_SECRET')),
    stripe: readStripeSettings(read),
    paypal: readPaypalSettings(read),
    viesUrl: read.viesUrl(),
    webhookAllow: read.networks('KEYWRIGHT_WEBHOOK_ALLOW'),
    kept: {
      eventDays: read.integer('KEYWRIGHT_EVENT_DAYS', { min: 7, max: 36_500, otherwise: 730 }),
      attemptDays: read.integer('KEYWRIGHT_ATTEMPT_DAYS', { min: 7, max: 36_500, otherwise: 30 }),
    },
    mail: readMailSettings(read),
    s3: readS3Settings(read),
  }
}

const ratesOf = (read: Reader): Config['rate'] => ({
  failed: read.rate('KEYWRIGHT_RATE_FAILED') ?? { perSecond: 10, burst: 40 },
  keyed: read.rate('KEYWRIGHT_RATE_KEYED') ?? { perSecond: 50, burst: 1_000 },
  authenticated: read.rate('KEYWRIGHT_RATE_AUTHENTICATED'),
  checkouts: read.rate('KEYWRIGHT_RATE_CHECKOUTS') ?? { perSecond: 1, burst: 60 },
  strangers: read.rate('KEYWRIGHT_RATE_STRANGERS') ?? { perSecond: 0.5, burst: 60 },
  products: read.rate('KEYWRIGHT_RATE_PRODUCT') ?? { perSecond: 100, burst: 6_000 },
  buyers: read.rate('KEYWRIGHT_RATE_BUYERS') ?? { perSecond: 0.02, burst: 20 },
  installs: read.rate('KEYWRIGHT_RATE_INSTALL') ?? { perSecond: 0.5, burst: 60 },
  pairs: read.rate('KEYWRIGHT_RATE_PAIR') ?? { perSecond: 1, burst: 2_500 },
  licenses: read.rate('KEYWRIGHT_RATE_LICENSE') ?? { perSecond: 0.05, burst: 1_000 },
})

/** One variable at a time; an empty value counts as not set. */
class Reader {
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  list(name: string): string[] {
    const parts = this.text(name)?.split(',') ?? []
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  }

  integer(name: string, limits: { min: number; max: number; otherwise: number }): number {
    const value = this.text(name)
    if (value === null) return limits.otherwise
    const number = Number(value)
    if (/^\d{1,9}$/.test(value) && number >= limits.min && number <= limits.max) return number
    throw bad(name, `a whole number from ${limits.min} to ${limits.max}`, value)
  }

  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = this.text(name)
    if (value === null) return choices[0]
    const choice = choices.find((one) => one === value)
    if (choice === undefined) throw bad(name, `one of ${choices.join(', ')}`, value)
    return choice
  }

  header(name: string): Pick<Config, 'countryHeader'> {
    const value = this.text(name)
    if (value === null) return {}
    if (/^[a-z0-9-]{1,64}$/i.test(value)) return { countryHeader: value.toLowerCase() }
    throw bad(name, 'the name of a header', value)
  }

  rate(name: string): RateLimit | null {
    const value = this.text(name)
    if (value === null) return null
    const [perSecond, burst] = value.split('/').map(Number)
    if (/^\d{1,6}(\.\d{1,3})?\/\d{1,6}$/.test(value) && perSecond && burst) return { perSecond, burst }
    throw bad(name, 'two numbers above 0, "per second/burst"', value)
  }

  /** Never echoes what it was: it is a secret. */
  secret(name: string): string | null {
    if (this.text(name)?.includes(',')) {
      throw new ConfigError(
        `${name} must not have a comma, which separates the secrets of KEYWRIGHT_SECRET_PREVIOUS, got one with a comma`,
      )
    }
    return this.token(name)
  }

  token(name: string): string | null {
    const value = this.text(name)
    return value === null ? null : this.secretText(name, value)
  }

  secretText(name: string, value: string): string {
    if (value.length >= SECRET_MIN_LENGTH) return value
    throw new ConfigError(
      `${name} must have at least ${SECRET_MIN_LENGTH} characters, got ${value.length} characters`,
    )
  }

  databaseUrl(): Config['database'] {
    const value = this.text('DATABASE_URL')
    const poolSize = this.integer('DATABASE_POOL', { min: 1, max: 1000, otherwise: 10 })
    const named = this.choice('DATABASE_NAMED_STATEMENTS', ['on', 'off']) === 'on'
    if (value === null) return { engine: 'sqlite' }
    const url = parseUrl(value)
    if (url && ['postgres:', 'postgresql:'].includes(url.protocol)) {
      return { engine: 'postgres', url: value, poolSize, namedStatements: named }
    }
    throw new ConfigError(
      `DATABASE_URL must be an address that begins with postgres://, got one that begins with '${value.slice(0, 8).split('@')[0]}…'`,
    )
  }

  baseUrl(): string | null {
    return this.address('KEYWRIGHT_BASE_URL')
  }

  checkoutUrl(): Pick<Config, 'checkoutUrl'> {
    const checkoutUrl = this.address('KEYWRIGHT_CHECKOUT_URL')
    return checkoutUrl === null ? {} : { checkoutUrl }
  }

  /** Without a slash at the end. */
  address(name: string): string | null {
    const value = this.text(name)
    if (value === null) return null
    const url = parseUrl(value)
    if (url && isHttp(url) && url.search === '' && url.hash === '' && url.username === '') {
      return value.replace(/\/$/, '')
    }
    throw bad(name, 'an http or https address without query', value)
  }

  viesUrl(): string | null {
    if (this.text('KEYWRIGHT_VIES_URL') === 'off') return null
    return this.address('KEYWRIGHT_VIES_URL') ?? 'https://ec.europa.eu/taxation_customs/vies/rest-api'
  }

  origin(name: string, value: string): string {
    const url = parseUrl(value)
    if (url && isHttp(url) && url.origin === value) return value
    throw bad(name, 'a list of origins such as https://app.example.com', value)
  }

  networks(name: string): string[] {
    return this.list(name).flatMap((value) => {
      if (value === 'loopback') return ['127.0.0.0/8', '::1/128']
      if (isNetwork(value)) return [value]
      throw bad(name, 'a list of addresses or networks such as 10.0.0.0/8, or loopback', value)
    })
  }
}

const recaptcha = (secret: string | null): Recaptcha | null =>
  secret === null
    ? null
    : { secret, verifyUrl: 'https://www.google.com/recaptcha/api/siteverify', timeoutMs: 5_000 }

const isHttp = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

const parseUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null)
