import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { transaction, type Context } from '../src/context.ts'
import type { InstallsTable } from '../src/db/tables/installs.ts'
import type { LicensesTable } from '../src/db/tables/licenses.ts'
import type { UtcTime } from '../src/lib/time.ts'
import { systemScope } from '../src/access/scope.ts'
import { keptKey } from '../src/licensing/licenses/key.ts'
import { createPlan } from '../src/catalogue/plans/service.ts'
import { environmentOf, inContext, seedSeller, type Environment } from './seed.ts'
import { copyOfTemplate } from './template.ts'

const USERS = 10_000
/** Rows an insert. */
const ROWS = 500
const CREATED = '2026-01-31 10:00:00' as UtcTime

/** Licenses with two installs each; the ids of both count from 1. */
export interface SeededLicenses {
  readonly token: string
  readonly developerId: number
  readonly productId: number
  readonly planId: number
  readonly licenses: number
}

export interface LicensesFolder {
  readonly environment: Environment
  readonly seeded: SeededLicenses
  remove(): Promise<void>
}

/** The key of the n-th license, the uid of the n-th install: both from 1. */
export const keyOf = (n: number) => `sk_${n.toString(36).padStart(29, '0')}`
export const uidOf = (n: number) => n.toString(16).padStart(32, '0')

/** The license that is active on the n-th install. */
export const licenseOf = (install: number) => Math.ceil(install / 2)

/** A data folder on SQLite with this many licenses and twice as many installs. */
export async function licensesFolder(licenses: number): Promise<LicensesFolder> {
  const files = ['./licenses-seed.ts', './seed.ts'].map((name) => new URL(name, import.meta.url))
  const { folder, manifest, remove } = await copyOfTemplate(`licenses-${licenses}`, files, (draft) =>
    seedLicenses(environmentOf({ KEYWRIGHT_DATA: draft }), licenses),
  )
  return { environment: environmentOf({ KEYWRIGHT_DATA: folder }), seeded: manifest, remove }
}

/** Fills an empty database. */
export async function seedLicenses(environment: Environment, licenses: number): Promise<SeededLicenses> {
  return inContext(environment, async (ctx) => {
    const seller = await seedSeller(ctx, USERS)
    const planId = await insertPlan(ctx, seller)
    await insertSite(ctx, seller.developerId)
    for (let first = 1; first <= licenses; first += ROWS) await insert(ctx, { ...seller, planId }, first)
    return { ...seller, planId, licenses }
  })
}

/** Each install counts, whatever its host. */
const BY_SUBDOMAIN = 1

const insertPlan = (ctx: Context, owner: { developerId: number; productId: number }): Promise<number> =>
  transaction(ctx, async (tx) => {
    const flags = { is_free_localhost: true, is_block_features: true, is_block_features_monthly: true }
    const named = { name: 'professional', license_type: BY_SUBDOMAIN } as const
    const { id } = await createPlan(tx, systemScope(owner), { ...flags, ...named })
    return Number(id)
  })

const insertSite = (ctx: Context, developerId: number) =>
  transaction(ctx, ({ db }) =>
    db
      .insertInto('sites')
      .values({ developer_id: developerId, address: 'bench', created: CREATED })
      .execute(),
  )

interface Owner {
  readonly productId: number
  readonly planId: number
}

const insert = (ctx: Context, owner: Owner, first: number) =>
  transaction(ctx, async ({ db, keys }) => {
    const numbers = Array.from({ length: ROWS }, (_, n) => first + n)
    const rows = numbers.map((n) => ({ ...licenseRow(owner, n), ...keptKey(keyOf(n), keys) }))
    await db.insertInto('licenses').values(rows).execute()
    const secret = keys.seal('sk_'.padEnd(32, '0'), 'installs.secret_key')
    for (const half of [first * 2 - 1, first * 2 - 1 + ROWS]) {
      const installs = numbers.map((_, n) => installRow(owner, half + n, secret))
      await db.insertInto('installs').values(installs).execute()
    }
  })

const licenseRow = (
  { productId, planId }: Owner,
  n: number,
): Omit<Insertable<LicensesTable>, 'secret_key' | 'key_hash'> => ({
  product_id: productId,
  user_id: 1 + (n % USERS),
  plan_id: planId,
  pricing_id: null,
  parent_license_id: null,
  quota: 5,
  activated: 2,
  activated_local: 0,
  expiration: n % 3 === 0 ? null : ('2046-01-31 10:00:00' as UtcTime),
  is_free_localhost: true,
  is_block_features: true,
  is_cancelled: false,
  is_whitelabeled: false,
  is_trial: false,
  environment: 0,
  source: 0,
  notice: 0,
  notice_at: n % 3 === 0 ? null : ('2046-01-01 10:00:00' as UtcTime),
  created: CREATED,
  updated: null,
})

const installRow = ({ productId, planId }: Owner, n: number, secret: string): Insertable<InstallsTable> => ({
  product_id: productId,
  user_id: 1 + (licenseOf(n) % USERS),
  site_id: 1,
  uid: uidOf(n),
  url: `https://site-${n}.com`,
  host: `site-${n}.com`,
  title: `Site ${n}`,
  version: '1.0.0',
  plan_id: planId,
  license_id: licenseOf(n),
  counted_as: 'production',
  trial_plan_id: null,
  trial_ends: null,
  subscription_id: null,
  gross: 0,
  country_code: null,
  language: null,
  platform_version: null,
  sdk_version: null,
  programming_language_version: null,
  is_active: true,
  is_disconnected: false,
  is_premium: true,
  is_uninstalled: false,
  is_locked: false,
  is_beta: false,
  environment: 0,
  source: 0,
  upgraded: null,
  last_seen_at: null,
  last_served_update_version: null,
  public_key: `pk_${randomBytes(21).toString('base64url')}${n.toString(36)}`,
  secret_key: secret,
  created: CREATED,
  updated: null,
})
