import assert from 'node:assert/strict'
import type { TestContext as Running } from 'node:test'
import { callBy, formerRows, type Row } from './former-rows.ts'
import { ADDON, formerShop, MAIN, settledAt, startUpgraded } from './former-shops.ts'

/** The last schema that left the pairs of moved sites whole. */
const SETTLED = 65

/** Who gets what others give away. */
export const NEXT = 999
/** Where each of them is, which a pair of own reach is not told. */
const IP = '192.0.2.1'
/** When sites were moved, before anything else happened. */
export const MOVED_AT = Date.parse('2025-12-01T10:00:00Z')
const MOVED = '2025-12-01 10:00:00'

type Rows = readonly (readonly [table: string, row: Row])[]
type Reaches = Readonly<Record<number, 'own' | 'whole'>>

/** A user of a former database, by its number. */
export interface Former {
  readonly user?: Row
  /** How far the pairs of these products reach after the upgrade. */
  readonly reach: Reaches
  /** How far the keys of these sites do; those of the add-on are number 1000 and more. */
  readonly sites?: (n: number) => Reaches
  /** When the user came into a product, where that is later. */
  readonly came?: Readonly<Record<number, string>>
  readonly rows?: (n: number) => Rows
  /** What there is since the pairs of all others were settled. */
  readonly since?: (n: number) => Rows
}

export type Formers = Readonly<Record<string, Former>>

let last = 0

interface Sited {
  readonly id?: number
  readonly product?: number
  readonly user?: number
  readonly license?: number
  readonly reach?: 'whole'
  readonly created?: string
}

export const install = (
  n: number,
  { id = n, product = MAIN, user = n, license: on, reach, created }: Sited = {},
) =>
  [
    'installs',
    {
      id,
      product_id: product,
      user_id: user,
      site_id: 1,
      uid: String(id).padStart(32, '0'),
      license_id: on ?? null,
      counted_as: on === undefined ? null : 'production',
      ...(reach && { reach }),
      ...(created && { created }),
    },
  ] as const
export const license = (n: number, { id = n, product = MAIN, user = n }: Sited = {}) =>
  ['licenses', { id, product_id: product, user_id: user, plan_id: 1 }] as const
export const token = (n: number) => ['install_tokens', { id: n, install_id: n }] as const

interface At {
  readonly product?: number
  readonly created?: string
}

export const event = (
  type: string,
  user: number,
  { product = MAIN, data = {}, created }: At & { data?: object } = {},
) =>
  [
    'events',
    {
      id: ++last,
      developer_id: 1,
      product_id: product,
      user_id: user,
      type,
      data: JSON.stringify(data),
      created: created ?? MOVED,
    },
  ] as const
export const deleted = (n: number, at: At = {}) => event('install.deleted', n, at)
export const told = (n: number, { id = n, ...at }: At & { readonly id?: number } = {}) =>
  event('install.ownership.completed', NEXT, {
    ...at,
    data: { install_id: String(id), from: String(n), to: String(NEXT) },
  })
export const took = (n: number, at: At = {}) =>
  event('license.ownership.changed', NEXT, {
    ...at,
    data: { license_id: '1', from: String(n), to: String(NEXT) },
  })
export const agreed = (n: number, more: Row = {}) =>
  [
    'ownership_changes',
    { id: n, product_id: MAIN, install_id: n, from_user_id: n, completed_at: MOVED, ...more },
  ] as const
export const renewed = (n: number, at: number, { id = 5000 + n, action = 'keywright/renew-keys' } = {}) =>
  ['audit_log', { id, at, action, details: JSON.stringify({ user: n }) }] as const
export const moved = (n: number, more: Sited = {}) => install(n, { user: NEXT, ...more })
/** A pair that was handed out for a user. */
export const handed = (n: number, more: Row = {}) =>
  [
    'user_keys',
    { id: 5000 + n, product_id: MAIN, user_id: n, install_id: null, reach: 'own', ...more },
  ] as const
/** An install that a pair of its user knows. */
export const signs = (key: number, installId: number, more: Row = {}) =>
  ['user_key_installs', { user_key_id: key, install_id: installId, signs: 1, ...more }] as const

const SEALED: Readonly<Record<string, string>> = {
  installs: 'installs.secret_key',
  user_keys: 'user_keys.secret_key',
}

const numberOf = (formers: Formers, title: string) => Object.keys(formers).indexOf(title) + 1

async function shopOf(name: string, formers: Formers) {
  const shop = await formerShop(name)
  const { add, pairOf, former } = shop
  const person = async (id: number, more: Row = {}) => {
    const email = `person${id}@example.com`
    await add('users', { id, developer_id: 1, email, email_folded: email, is_verified: 1, ip: IP, ...more })
    return email
  }
  const addRows = async (adding: typeof add, rows: Rows) => {
    for (const [table, row] of rows) {
      const place = SEALED[table]
      await adding(table, { ...row, ...(place !== undefined && pairOf(`${table} ${row['id']}`, place)) })
    }
  }
  await person(NEXT)
  for (const [title, { user, reach, came, rows }] of Object.entries(formers)) {
    const n = numberOf(formers, title)
    const email_folded = await person(n, user)
    for (const product_id of Object.keys(reach).map(Number)) {
      const pair = pairOf(`${n} in ${product_id}`, 'product_users.secret_key')
      const created = came?.[product_id]
      await add('product_users', {
        product_id,
        user_id: n,
        email_folded,
        ...(created && { created }),
        ...pair,
      })
    }
    await addRows(add, rows?.(n) ?? [])
  }
  await former.database.close()
  return {
    ...shop,
    /** Brings it to the schema before, and adds what there is since. */
    async settle(): Promise<void> {
      const database = await settledAt(former, SETTLED)
      const adding = await formerRows(database)
      for (const [title, { since }] of Object.entries(formers))
        await addRows(adding, since?.(numberOf(formers, title)) ?? [])
      await database.close()
    },
  }
}

/**
 * Brings a former database of some users to the latest schema, in one step or with a stop before the last, and
 * requires the reach of their pairs and sites then.
 */
export async function requireReaches(
  t: Running,
  name: string,
  { formers, isSettled }: { readonly formers: Formers; readonly isSettled: boolean },
): Promise<void> {
  const { former, pairs, settle } = await shopOf(name, formers)
  if (isSettled) await settle()
  const { ctx, at, close } = await startUpgraded(former, name)
  t.after(close)
  const installs = await ctx.db.selectFrom('installs').select(['id', 'reach']).execute()
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [title, { reach, sites }] of Object.entries(formers)) {
    const n = numberOf(formers, title)
    const each: [string, unknown][] = []
    for (const product of Object.keys(reach)) {
      const json = await profileBy(at, n, pairs.get(`${n} in ${product}`))
      each.push([product, json.ip === IP ? 'whole' : json.ip === null ? 'own' : json])
    }
    const those = Object.keys(sites?.(n) ?? {})
    const sited = those.map((id) => [id, installs.find((one) => String(one.id) === id)?.reach])
    found[title] = [Object.fromEntries(each), Object.fromEntries(sited)]
    expected[title] = [reach, sites?.(n) ?? {}]
  }
  assert.deepEqual(found, expected)
  await requireSettledOnce(ctx)
}

const profileBy = async (
  at: Parameters<typeof callBy>[0],
  id: number,
  { publicKey, secretKey } = { publicKey: 'pk_', secretKey: 'sk_' },
) => (await callBy(at, { pair: { id, publicKey, secretKey }, path: `/v1/users/${id}.json` })).json

/** What was settled is not once more: its seller goes on with the pair that was shown then. */
async function requireSettledOnce(ctx: Awaited<ReturnType<typeof startUpgraded>>['ctx']): Promise<void> {
  const settled = await ctx.db
    .selectFrom('user_keys')
    .innerJoin('product_users', (on) =>
      on
        .onRef('product_users.user_id', '=', 'user_keys.user_id')
        .onRef('product_users.product_id', '=', 'user_keys.product_id')
        .onRef('product_users.created', '=', 'user_keys.created'),
    )
    .select(['user_keys.user_id', 'user_keys.product_id'])
    .where('user_keys.reach', '=', 'own')
    .where('user_keys.install_id', 'is', null)
    .execute()
  const named = settled.map(({ user_id: user, product_id: product }) => `${user} in ${product}`)
  assert.deepEqual(named.toSorted(), [...new Set(named)].toSorted())
}

export const ofAddon = (n: number) => ({ id: 1000 + n, product: ADDON })
