import type { Insertable } from 'kysely'
import { readConfig } from '../src/config.ts'
import { transaction, type Context, type TxContext } from '../src/context.ts'
import type { ProductUsersTable, UsersTable } from '../src/db/tables/users.ts'
import type { Scope } from '../src/access/scope.ts'
import type { UtcTime } from '../src/lib/time.ts'
import { createLog } from '../src/log.ts'
import { openContext } from '../src/open.ts'
import { createSeller } from '../test/factories.ts'
import { copyOfTemplate } from './template.ts'

export const USERS = 200_000

/** Rows an insert: SQLite takes 32,766 values in a statement. */
const ROWS = 1_000
const CREATED = '2026-01-31 10:00:00' as UtcTime

/** The environment variables of a process that works on a seeded database. */
export type Environment = Readonly<Record<string, string>>

/** What a benchmark calls with; the users of the product have the ids 1 to `users`. */
export interface Seeded {
  readonly token: string
  readonly developerId: number
  readonly productId: number
  readonly users: number
}

export interface SeededFolder {
  readonly folder: string
  readonly environment: Environment
  readonly seeded: Seeded
  remove(): Promise<void>
}

export const environmentOf = (more: Environment): Environment => ({
  PORT: '0',
  LOG_LEVEL: 'info',
  KEYWRIGHT_SECRET: 'the secret of the benchmarks: 32 characters long',
  ...more,
})

/** A context of this process as the server builds its own. */
export const benchContext = (environment: NodeJS.ProcessEnv): Promise<Context> =>
  openContext(readConfig(environment), createLog('silent'))

/** A data folder on SQLite with this many users. */
export async function seededFolder(users = USERS): Promise<SeededFolder> {
  const { folder, manifest, remove } = await copyOfTemplate(
    String(users),
    [new URL(import.meta.url)],
    (draft) => seed(environmentOf({ KEYWRIGHT_DATA: draft }), users),
  )
  return { folder, environment: environmentOf({ KEYWRIGHT_DATA: folder }), seeded: manifest, remove }
}

/** Fills an empty database with a seller and users of its first product. */
export const seed = (environment: Environment, users = USERS): Promise<Seeded> =>
  inContext(environment, async (ctx) => ({ ...(await seedSeller(ctx, users)), users }))

/** Does something with a context that is closed after it. */
export async function inContext<T>(
  environment: NodeJS.ProcessEnv,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const ctx = await benchContext(environment)
  try {
    return await work(ctx)
  } finally {
    await ctx.database.close()
  }
}

/** A seller, and users of its first product: their ids are 1 to `users`. */
export async function seedSeller(ctx: Context, users: number): Promise<Owner & Pick<Seeded, 'token'>> {
  const { developer, product } = await transaction(ctx, (tx) => createSeller(tx))
  const owner = { developerId: developer.id, productId: product.id }
  for (let first = 1; first <= users; first += ROWS) {
    await transaction(ctx, (tx) => insertUsers(tx, owner, first))
  }
  return { ...owner, token: product.token }
}

type Owner = Pick<Seeded, 'developerId' | 'productId'>

async function insertUsers(
  { db, keys }: TxContext,
  { developerId, productId }: Owner,
  first: number,
): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, index) => first + index)
  const people = numbers.map((n) => personRow(developerId, n))
  const links = numbers.map((n) => ({
    ...linkRow(productId, n),
    secret_key: keys.seal(`sk_${keyText(n)}`, 'product_users.secret_key'),
  }))
  await db.insertInto('users').values(people).execute()
  await db.insertInto('product_users').values(links).execute()
}

const keyText = (n: number) => n.toString(36).padStart(29, '0')

const personRow = (developerId: number, n: number): Insertable<UsersTable> => ({
  developer_id: developerId,
  email: `User.${n}@Example.com`,
  email_folded: `user.${n}@example.com`,
  first: `First ${n}`,
  last: `Last ${n}`,
  picture: `https://pictures.example.com/${n}.png`,
  ip: '203.0.113.7',
  is_verified: n % 2 === 0,
  password_hash: null,
  auth: 'password',
  last_login_at: CREATED,
  email_status: null,
  created: CREATED,
  updated: CREATED,
})

const linkRow = (productId: number, n: number): Omit<Insertable<ProductUsersTable>, 'secret_key'> => ({
  product_id: productId,
  user_id: n,
  public_key: `pk_${keyText(n)}`,
  note: '',
  is_marketing_allowed: n % 3 === 0 ? null : n % 2 === 0,
  is_beta: n % 10 === 0,
  gross: n % 4 === 0 ? 1999 : 0,
  is_paying: n % 8 === 0,
  source: 0,
  email_folded: `user.${n}@example.com`,
  name_folded: `first ${n} last ${n}`,
  created: CREATED,
  updated: null,
})

/** The scope of a call with the product's bearer token. */
export const tokenScope = ({ developerId, productId }: Owner): Scope => ({
  kind: 'product',
  developerId,
  productId,
  userId: null,
  installId: null,
  actor: { kind: 'token', id: 1, credential: 'token:1' },
  ip: '127.0.0.1',
  requestId: 'req_bench',
})
