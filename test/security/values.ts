import type { TObject, TSchema } from '../../src/lib/type.ts'

/** What the schemas of the operations are made of. */
export interface Keywords {
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

export const keywordsOf = (schema: TSchema): Keywords => schema as Keywords

export const propertiesOf = (schema: TObject | undefined): [name: string, schema: TSchema][] =>
  Object.entries(schema?.properties ?? {})

let count = 0

const newUid = () => String(++count).padStart(32, 'u')

/** Text that is well-formed in a format; an unknown format is an error that names it. */
const EXAMPLES: Readonly<Record<string, () => string>> = {
  email: () => `example-${++count}@example.com`,
  'email-or-empty': () => 'billing@example.com',
  'country-or-empty': () => 'de',
  ip: () => '203.0.113.9',
  'http-url': () => 'https://shop.example.com/welcome',
  'http-url-or-empty': () => 'https://shop.example.com/welcome',
  'web-address': () => 'shop.example.com/welcome',
  slug: () => `example-${++count}`,
  ids: () => '',
  rights: () => 'licenses.read',
  'event-types': () => 'license.created',
  version: () => `9.0.${++count}`,
  line: () => 'Example',
  text: () => 'Example',
  secret: () => 'Example',
}

/** Good values by the names of arguments whose schema does not say what they must be like. */
const BY_NAME: Readonly<Record<string, () => unknown>> = {
  password: () => 'a long enough pass phrase',
  current_password: () => 'a long enough pass phrase',
  new_password: () => 'another long pass phrase',
  recaptcha_token: () => 'Example',
  code: () => '123456',
  backup_code: () => 'A'.repeat(24),
  developer_secret_key: () => 'sk_example',
  account_number: () => 'DE89370400440532013000',
  swift: () => 'COBADEFF',
  ifsc: () => 'SBIN0000001',
  sort_code: () => '200000',
  aba_rtn: () => '021000021',
  fields: () => 'id',
  plans: () => '',
  setting_type: () => 3,
  data: () => '{"selling_unit_plural":"Licenses"}',
  uid: newUid,
  zone: () => 'Europe/Berlin',
  url: () => 'https://shop.example.com/',
  screenshots: () => ({ screenshot_0: 'https://shop.example.com/0.png' }),
  licenses: () => '1,5',
  to_currency: () => 'eur',
  billing_cycles: () => '1,12',
  start_date: () => '2026-02-01',
  license_expires_at: () => '2030-12-31',
  processed_at: () => '2025-12-31',
  next_payment: () => '2026-12-31',
  end_date: () => '2026-12-31',
  discounts: () => ({ eur: 9 }),
  reason_ids: () => '1,5',
  registrations: () => 'DE,EU',
  address_country: () => 'Germany',
  address_state: () => 'BE',
  trial_timestamp: () => '1769853600',
  trial_token: () => 'f'.repeat(32),
  trial_ends: () => '2026-02-03 10:00:00',
  license_key: () => `sk_example_${++count}`,
  trials_ends: () => '2026-02-03 10:00:00',
  ids: () => '',
  plugins: () => [{ slug: 'example', title: 'Example', version: '1.0' }],
  themes: () => '[{"slug":"example"}]',
  install_ids: () => '',
  sites: () => [{ uid: newUid() }],
  installs: () => [{ version: '1.0' }],
  properties: () => ({ place: 'Example' }),
  owner_token: () => 'example',
  candidate_token: () => 'example',
  token_salt: () => 'example',
  uids: () => [newUid()],
  expires_at: () => '2027-01-01 00:00:00',
  expiration: () => '2027-01-01 00:00:00',
  site_url: () => 'https://shop.example.com/copy',
  permissions: () => 'site,user',
  reason_id: () => '4',
  deactivate_license: () => false,
  to: () => '2027-01-01 00:00:00',
  from: () => '2026-01-01 00:00:00',
}

/** An object with a well-formed value for every property of a schema, or for those of these names. */
export const exampleOf = (schema: TObject, names?: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    propertiesOf(schema)
      .filter(([name]) => names?.includes(name) ?? true)
      .map(([name, property]) => [name, exampleValue(name, property)]),
  )

function exampleValue(name: string, schema: TSchema): unknown {
  const { type, format, anyOf, enum: choices, minimum = 1, default: byDefault } = keywordsOf(schema)
  if (anyOf) return exampleValue(name, plainOf(schema))
  const byName = type === 'integer' ? undefined : BY_NAME[name]
  if (byName) return byName()
  if (choices) return choices[0]
  if (byDefault !== undefined) return byDefault
  const plain = { boolean: true, integer: minimum, number: minimum + 19.99, object: {} }[type ?? '']
  if (plain !== undefined) return plain
  const example = type === 'string' ? EXAMPLES[format ?? ''] : undefined
  if (!example) {
    throw new Error(`No example for ${name} (${type}, format ${format}): add one to test/security/values.ts.`)
  }
  return example()
}

/** The schema itself, of one that may be null too what else it is; of several the first. */
export function plainOf(schema: TSchema): TSchema {
  const options = keywordsOf(schema).anyOf
  const found = options ? options.find((option) => keywordsOf(option).type !== 'null') : schema
  if (!found) throw new Error('A union of nothing but null.')
  return found
}

export interface BadValue {
  readonly why: string
  readonly value: unknown
}

const OBJECT: BadValue = { why: 'an object', value: { a: 1 } }
const ARRAY: BadValue = { why: 'an array', value: ['a'] }
const NULLS: BadValue = { why: 'a list of null', value: [null] }
const NULL: BadValue = { why: 'null', value: null }
const TRUE: BadValue = { why: 'a boolean', value: true }
const FIVE: BadValue = { why: 'a number', value: 5 }
const WORD: BadValue = { why: 'a text', value: 'no-such-choice' }

/** Values that JSON may hold and the schema forbids. */
export function badValues(schema: TSchema): BadValue[] {
  const { type, anyOf, items, enum: choices } = keywordsOf(schema)
  if (anyOf) return badForAll(anyOf)
  const always = [OBJECT, ARRAY, NULL]
  if (choices) return [...always, { ...WORD, why: 'none of the choices' }]
  if (type === 'boolean') return [...always, ...as('not true or false', ['maybe', 2, -1, 0.5])]
  if (type === 'integer') return [...always, ...badNumbers(schema)]
  if (type === 'number') return [...always, ...badAmounts(schema)]
  if (type === 'object') return [ARRAY, NULL, TRUE, FIVE, WORD]
  if (type !== 'array') return [...always, FIVE, TRUE, ...badTexts(schema)]
  const isOfObjects = items !== undefined && keywordsOf(items).type === 'object'
  return [OBJECT, NULL, TRUE, FIVE, WORD, ...(isOfObjects ? [ARRAY, NULLS] : [])]
}

/** What none of several schemas takes: the values of the first, without those that are of another's type. */
function badForAll(options: readonly TSchema[]): BadValue[] {
  const types = new Set(options.map((option) => keywordsOf(option).type))
  const first = plainOf({ anyOf: options } as TSchema)
  const isPlain = [...types].filter((type) => type !== 'null').length === 1
  if (isPlain) return badValues(first).filter(({ value }) => value !== null)
  return [OBJECT, ARRAY, TRUE, FIVE].filter(({ value }) => !types.has(typeOf(value)))
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'number' ? 'integer' : typeof value

/** Bad values as text, as they stand in a path, a query or a form. */
export const badTextValues = (schema: TSchema): BadValue[] =>
  badValues(schema)
    .filter(({ value }) => typeof value === 'string' || typeof value === 'number')
    .filter(({ value }) => keywordsOf(schema).type !== 'string' || typeof value === 'string')
    .map(({ why, value }) => ({ why, value: String(value) }))

const as = (why: string, values: readonly unknown[]): BadValue[] => values.map((value) => ({ why, value }))

function badNumbers(schema: TSchema): BadValue[] {
  const { minimum, maximum } = keywordsOf(schema)
  return [
    ...as('no whole number', ['x', 1.5, '1.5', '1e3', ' 1', '0x10', '01']),
    ...(minimum === undefined ? [] : as('too small', [minimum - 1])),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : as('too large', [maximum + 1])),
  ]
}

function badAmounts(schema: TSchema): BadValue[] {
  const { minimum = 0, maximum = 0 } = keywordsOf(schema)
  return [
    ...as('no number', ['x', '1e3', ' 1', '0x10', '01', '1,5', '1.']),
    ...('~refine' in schema ? as('more than two decimals', [1.234, '19.999']) : []),
    ...as('out of bounds', [minimum - 0.01, maximum + 0.01]),
  ]
}

const BAD_BY_FORMAT: Readonly<Record<string, readonly string[]>> = {
  email: ['nobody', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com', ''],
  'email-or-empty': ['nobody', 'a@b'],
  'country-or-empty': ['d', '12', 'd\u00e9', 'zz', 'UK'],
  ip: ['1.2.3', '256.1.1.1', 'fe80::1%eth0', 'localhost'],
  'http-url': ['javascript:alert(1)', 'ftp://example.com', '//example.com', 'https://u:p@example.com/', 'x'],
  'event-types': ['license created', 'a..b', '.a', 'a;b', 'license.é'],
  ids: ['x', '0', '1,,2', '1,1', '1.5'],
  rights: ['', 'own.write', 'licenses', 'licenses.write,,sales.read'],
  version: ['one', '1..2', '1/2', '../1', '1.0 beta', ''],
  'web-address': [
    'javascript:1',
    'data:1',
    'ftp://example.com',
    '//example.com',
    'https://u:p@example.com/',
    'a b',
  ],
  'http-url-or-empty': [
    'javascript:alert(1)',
    'ftp://example.com',
    '//example.com',
    'https://u:p@example.com/',
    'x',
  ],
  slug: ['a b', 'a/b', 'a.b', 'a\u202eb', ''],
  line: ['a\u0001b', 'a\nb', 'a\u202eb'],
  text: ['a\u0001b', 'a\u202eb'],
  secret: [],
}

function badTexts(schema: TSchema): BadValue[] {
  const { format, minLength = 0, maxLength } = keywordsOf(schema)
  const known = format === undefined ? [] : BAD_BY_FORMAT[format]
  if (!known) throw new Error(`No bad text for format ${format}: add some to test/security/values.ts.`)
  return [
    ...as(`not ${format}`, known),
    ...(maxLength === undefined ? [] : as('too long', ['x'.repeat(maxLength + 1)])),
    ...(minLength === 0 ? [] : as('too short', ['x'.repeat(minLength - 1)])),
  ]
}
