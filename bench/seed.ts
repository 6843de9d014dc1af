import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { transaction, type Context, type TxContext } from '../src/context.ts'
import { createLog } from '../src/log.ts'
import { openContext } from '../src/start.ts'
import { createSeller } from '../test/factories.ts'

export const USERS = 200_000

/** Rows an insert: SQLite takes 32,766 values in a statement. */
const ROWS = 1_000
const CREATED = '2026-01-31 10:00:00'
const MANIFEST = 'seed.json'

/** The environment of a process: where its database is. */
export type Environment = Record<string, string>

/** What a benchmark calls with; the users of the product have the ids 1 to `users`. */
export interface Seeded {
  readonly token: string
  readonly developerId: number
  readonly productId: number
  readonly users: number
}

/** A context of this process as the server builds its own. */
export const benchContext = (environment: Environment): Promise<Context> =>
  openContext(
    readConfig({ PORT: '0', KEYWRIGHT_SECRET: 'the secret of the benchmarks, 32 long', ...environment }),
    createLog('info'),
  )

export interface SeededFolder {
  readonly environment: Environment
  readonly seeded: Seeded
  remove(): Promise<void>
}

/** A data folder on SQLite with this many users, on the disk: a copy of one that is made once for each schema. */
export async function seededFolder(users = USERS): Promise<SeededFolder> {
  const template = join(tmpdir(), `keywright-bench-${users}-${seedVersion()}`)
  if (!existsSync(template)) await makeTemplate(template, users)
  const folder = await mkdtemp(join(tmpdir(), 'keywright-bench-run-'))
  await cp(template, folder, { recursive: true })
  const seeded = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Seeded
  return { environment: { KEYWRIGHT_DATA: folder }, seeded, remove: () => rm(folder, { recursive: true }) }
}

async function makeTemplate(folder: string, users: number): Promise<void> {
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { mode: 0o700 })
  try {
    const seeded = await seed({ KEYWRIGHT_DATA: draft }, users)
    await writeFile(join(draft, MANIFEST), JSON.stringify(seeded))
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Another one whenever the migrations or this file change. */
function seedVersion(): string {
  const migrations = new URL('../src/db/migrations/', import.meta.url)
  const files = readdirSync(migrations).map((name) => new URL(name, migrations))
  const hash = createHash('sha256')
  for (const file of [...files, new URL(import.meta.url)]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** Fills an empty database with a seller and users of its first product. */
export async function seed(environment: Environment, users = USERS): Promise<Seeded> {
  const ctx = await benchContext(environment)
  try {
    const seller = await transaction(ctx, (tx) => createSeller(tx))
    const seeded = { developerId: seller.developer.id, productId: seller.product.id, users }
    for (let first = 1; first <= users; first += ROWS) {
      await transaction(ctx, (tx) => insertUsers(tx, seeded, first))
    }
    return { ...seeded, token: seller.product.token }
  } finally {
    await ctx.database.close()
  }
}

async function insertUsers(
  { db, keys }: TxContext,
  { developerId, productId }: Omit<Seeded, 'token'>,
  first: number,
): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, index) => first + index)
  await db
    .insertInto('users')
    .values(numbers.map((n) => personRow(developerId, n) as never))
    .execute()
  await db
    .insertInto('product_users')
    .values(
      numbers.map((n) => linkRow(productId, n, keys.seal(`sk_${keyText(n)}`, 'product_users.secret_key')) as never),
    )
    .execute()
}

const keyText = (n: number) => n.toString(36).padStart(29, '0')

const personRow = (developerId: number, n: number) => ({
  developer_id: developerId,
  email: `User.${n}@Example.com`,
  email_folded: `user.${n}@example.com`,
  first: `First ${n}`,
  last: `Last ${n}`,
  picture: `https://pictures.example.com/${n}.png`,
  ip: '203.0.113.7',
  is_verified: n % 2,
  password_hash: null,
  auth: 'password',
  last_login_at: CREATED,
  email_status: null,
  created: CREATED,
  updated: CREATED,
})

const linkRow = (productId: number, n: number, sealed: string) => ({
  product_id: productId,
  user_id: n,
  public_key: `pk_${keyText(n)}`,
  secret_key: sealed,
  note: '',
  is_marketing_allowed: n % 3 === 0 ? null : n % 2,
  is_beta: n % 10 === 0 ? 1 : 0,
  gross: n % 4 === 0 ? 1999 : 0,
  is_paying: n % 8 === 0 ? 1 : 0,
  source: 0,
  email_folded: `user.${n}@example.com`,
  name_folded: `first ${n} last ${n}`,
  created: CREATED,
  updated: null,
})
