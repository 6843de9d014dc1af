import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TProperties } from '../lib/type.ts'
import type { UtcTime } from '../lib/time.ts'
import { decode, Problems } from './decode.ts'
import { choice, country, derived, flag, id, integer, money, sealed, text, time } from './entity-fields.ts'
import { entity } from './entity.ts'
import { Arguments, IdText, Nullable, Optional } from './wire.ts'

const NOTE = entity(
  'notes',
  {
    id: id({ filled: true }),
    product_id: id({ wire: 'plugin_id', filter: 'Only of this product.' }),
    author_id: id({ null: true, told: 'by rule' }),
    is_open: flag({
      create: 'Whether all may read it.',
      update: 'Whether all may read it.',
    }),
    is_pinned: flag({ null: true, create: true, initial: true }),
    title: text({
      description: 'Its first line.',
      create: 'Its first line.',
      update: 'Its first line.',
    }),
    words: integer({
      null: true,
      update: { name: 'length', schema: Optional(Type.Integer()), read: (sent: number) => sent || null },
      told: 'license.quota.changed',
    }),
    kind: choice(['long', 'short'], { filter: 'Only of this kind.' }),
    ends: time({ null: true, update: 'Until when it is shown.' }),
    hash: text({ hidden: true, initial: '' }),
  },
  { told: 'plan.updated' },
)

const ROW = {
  id: 7,
  product_id: 8,
  author_id: null,
  is_open: true,
  is_pinned: null,
  title: 'One',
  words: null,
  kind: 'long',
  ends: '2026-01-31 10:00:00' as UtcTime,
  hash: 'abc',
} as const

const given = (properties: TProperties, input: object) => {
  const problems = new Problems()
  const values = decode(Arguments(properties), input, 'json', problems)
  return { values, problems: problems.malformed.map(({ field }) => field) }
}

test('a reply has what is not hidden, in the order and by the names of the fields', () => {
  const reply = {
    id: '7',
    plugin_id: '8',
    author_id: null,
    is_open: true,
    is_pinned: null,
    title: 'One',
    words: null,
    kind: 'long',
    ends: '2026-01-31 10:00:00',
  }
  assert.equal(JSON.stringify(NOTE.present(ROW)), JSON.stringify(reply))
  assert.deepEqual(Object.keys(NOTE.shown), Object.keys(reply))
  assert.deepEqual(NOTE.present({ ...ROW, author_id: 9, is_pinned: false }).author_id, '9')
  assert.deepEqual(NOTE.present({ ...ROW, author_id: 9, is_pinned: false }).is_pinned, false)
})

test('what is sealed is opened for its own column, unless it is known in clear', () => {
  const kept = entity('licenses', { secret_key: sealed({ class: 'license keys' }) })
  const keys = { open: (value: string, place: string) => `${value} of ${place}` } as never
  assert.deepEqual(kept.present({ secret_key: 'x' }, keys), { secret_key: 'x of licenses.secret_key' })
  assert.deepEqual(kept.present({ secret_key: 'x' }, keys, { secret_key: 'clear' }), { secret_key: 'clear' })
})

test('without keys a reply leaves out what is sealed, and whom the noun withholds a field sees another value', () => {
  const site = entity('installs', {
    id: id({}),
    secret_key: sealed({ class: 'license keys', optional: true }),
    gross: money({ class: 'sales', withheld: 0 }),
    country_code: country({ null: true }),
    note: text({ table: 'product_users', withheld: '' }),
  })
  const row = { id: 1, secret_key: 'x', gross: 1999, country_code: 'DE', note: 'Late.' }
  const keys = { open: (value: string) => `open ${value}` } as never
  const shown = { id: '1', gross: 19.99, country_code: 'de', note: 'Late.' }
  const withKey = { ...shown, secret_key: 'open x' }
  const withheld = { gross: 0, note: '' }
  assert.deepEqual(site.present(row, keys), withKey)
  assert.deepEqual(site.present({ ...row, country_code: null }, null), { ...shown, country_code: null })
  assert.deepEqual(site.presentWithheld(row, keys), { ...withKey, ...withheld })
  assert.deepEqual(site.presentWithheld(row, null), { ...shown, ...withheld })
  assert.throws(
    () => entity('product_users', { secret_key: sealed({ table: 'notes' }) }),
    /notes\.secret_key/,
  )
})

test('an event is of the direction of a change, and what may not be told is told in that of the noun', () => {
  const compare = (a: string, b: string) => Number(a) - Number(b)
  const site = entity(
    'installs',
    {
      is_active: flag({ told: { up: 'install.activated', down: 'install.deactivated' } }),
      trial_ends: time({ null: true, told: { up: 'install.trial.extended', down: null } }),
      version: text({ told: { up: 'install.version.upgraded', down: 'install.version.downgrade', compare } }),
    },
    { told: 'install.updated' },
  )
  const early = '2026-01-31 10:00:00' as UtcTime
  const late = '2026-02-01 10:00:00' as UtcTime
  const low = { is_active: false, trial_ends: null, version: '9' } as const
  const high = { is_active: true, trial_ends: early, version: '10' } as const
  const typesOf = (told: ReturnType<typeof site.told>) => told.own.map(({ type }) => type)
  const up = site.told({ from: low, to: high })
  assert.deepEqual(typesOf(up), ['install.activated', 'install.trial.extended', 'install.version.upgraded'])
  const down = site.told({ from: high, to: low })
  assert.deepEqual(typesOf(down), ['install.deactivated', 'install.version.downgrade'])
  assert.deepEqual(down.together, { from: { trial_ends: early }, to: { trial_ends: null } })
  const silent = site.told({ from: { trial_ends: early }, to: { trial_ends: late } }, () => false)
  assert.deepEqual(silent, { own: [], together: { from: { trial_ends: early }, to: { trial_ends: late } } })
})

test('what the seller alone gives is not heard from others, and a country is kept in upper case', () => {
  const site = entity(
    'installs',
    {
      is_locked: flag({ update: true, sellers: true }),
      country_code: country({ null: true, update: true }),
    },
    { told: 'install.updated' },
  )
  const sent = { is_locked: true, country_code: 'de' }
  assert.deepEqual(site.read('update', sent), { is_locked: true, country_code: 'DE' })
  assert.deepEqual(site.read('update', { ...sent, country_code: '' }, false), { country_code: null })
})

const SOLD = entity(
  'sold',
  {
    product_id: id({ null: true, hidden: true }),
    store_id: id({ null: true, hidden: true }),
    owner_id: derived(IdText(), (row: Owned) => String(row.product_id ?? row.store_id)),
    amount: money({ null: true, class: 'sales', update: 'What it costs.' }),
    place: text({ null: true, withheld: null, present: (row: Placed) => row.place?.toLowerCase() ?? null }),
    reference: text({ null: true, withheld: '', none: '' }),
  },
  { told: 'pricing.updated' },
)
type Owned = Record<'product_id' | 'store_id', number | null>
type Placed = Record<'place', string | null>

const SALE = { product_id: null, store_id: 5, amount: 1999, place: 'DE', reference: null }

test('money is minor units in its column, and in replies, arguments and events units with decimals', () => {
  assert.equal(SOLD.present(SALE).amount, 19.99)
  assert.equal(SOLD.present({ ...SALE, amount: null }).amount, null)
  assert.deepEqual(SOLD.read('update', given(SOLD.update, { amount: 20.01 }).values), { amount: 2001 })
  assert.deepEqual(SOLD.read('update', { amount: null }), { amount: null })
  assert.deepEqual(given(SOLD.update, { amount: 1.234 }).problems, ['amount'])
  const { together } = SOLD.told({ from: { amount: 1999 }, to: { amount: 0 } })
  assert.deepEqual(together, { from: { amount: 19.99 }, to: { amount: 0 } })
})

test('a reply tells what is made of several columns, and withholds from whom the noun withholds it', () => {
  assert.deepEqual(SOLD.present(SALE), { owner_id: '5', amount: 19.99, place: 'de', reference: '' })
  const hidden = { owner_id: '8', amount: 19.99, place: null, reference: '' }
  assert.deepEqual(SOLD.presentWithheld({ ...SALE, product_id: 8, reference: 'x' }), hidden)
  assert.equal(SOLD.present({ ...SALE, reference: 'x' }).reference, 'x')
  assert.throws(
    () => SOLD.told({ from: { place: 'DE' }, to: { place: 'FR' } } as object as never),
    /No event/,
  )
})

test('arguments are those that the fields say, null where the column may be', () => {
  assert.deepEqual(Object.keys(NOTE.create), ['is_open', 'is_pinned', 'title'])
  assert.deepEqual(NOTE.create.is_pinned, Optional(Nullable(Type.Boolean())))
  assert.deepEqual(Object.keys(NOTE.update), ['is_open', 'title', 'length', 'ends'])
  assert.deepEqual(Object.keys(NOTE.filter), ['product_id', 'kind'])
  assert.deepEqual(given(NOTE.update, { ends: null, title: null }).problems, ['title'])
  assert.deepEqual(given(NOTE.update, { ends: 'soon' }).problems, ['ends'])
  assert.deepEqual(given(NOTE.filter, { kind: 'other' }).problems, ['kind'])
})

test('what was given is read as values, and kept as columns; what was not stays out', () => {
  const { values } = given(NOTE.update, { is_open: false, length: 0, ends: '2026-02-01' })
  const change = NOTE.read('update', values)
  assert.deepEqual(change, { is_open: false, words: null, ends: '2026-02-01 23:59:59' })
  assert.deepEqual(NOTE.columns(change), { is_open: false, words: null, ends: '2026-02-01 23:59:59' })
  assert.deepEqual(NOTE.columns({ is_pinned: null }), { is_pinned: null })
  assert.throws(() => NOTE.columns({ titel: 'Two' } as object), /no field titel/)
})

test('an event tells a text as a text and a flag as true or false, under the name of replies', () => {
  const from = { is_open: true, title: 'One', author_id: 9, words: 3 } as const
  const to = { is_open: false, title: 'Two', author_id: null, words: null } as const
  assert.deepEqual(NOTE.told({ from, to }), {
    own: [{ type: 'license.quota.changed', data: { from: 3, to: null } }],
    together: { from: { is_open: true, title: 'One' }, to: { is_open: false, title: 'Two' } },
  })
  const hidden = { from: { hash: 'a' }, to: { hash: 'b' } }
  assert.throws(() => NOTE.told(hidden), /No event tells that hash/)
})

test('a copy is given what callers give, and what nobody gives begins as its field says', () => {
  assert.deepEqual(NOTE.givenOf(ROW), {
    is_open: true,
    is_pinned: null,
    title: 'One',
    words: null,
    ends: '2026-01-31 10:00:00',
  })
  assert.deepEqual(NOTE.initial, { is_pinned: true, hash: '' })
})

test('a field that does not agree with the other lists stops the start', () => {
  assert.throws(() => entity('notes', { a: flag({ update: 'A.' }) }), /no event tells/)
  assert.throws(() => entity('notes', { secret: sealed({}) }), /sealed-columns/)
  assert.throws(() => entity('licenses', { secret_key: sealed({}) }), /license keys/)
  assert.throws(() => entity('notes', { title: text({ class: 'sales' }) }), /data-classes/)
  assert.throws(() => entity('notes', { 'a b': text({}) }), /is no name/)
})
