import type { Context, TxContext } from '../context.ts'
import { NoAccount } from './export-account.ts'
import {
  importRows,
  PART,
  type Import,
  type ImportReport,
  type Line,
  type PutAside,
  type Source,
} from './import-rows.ts'
import { KINDS } from './kinds/kinds.ts'
import type { BadRow, KeptRow } from './check-rows.ts'
import { build, type Draft, type Drafts, type LeftOut } from './platforms/build.ts'
import { addKeys, complete } from './platforms/complete.ts'
import { finish, siteAddressOf } from './platforms/finish.ts'
import { keysFor, personsHere, sitesHere } from './platforms/here.ts'
import { idOf, type Space } from './platforms/ids.ts'
import type { NoFit, Platform } from './platforms/map.ts'
import { sourceName, type PlatformName } from './platforms/names.ts'
import { PLATFORMS } from './platforms/platforms.ts'
import { readRecords } from './platforms/read-records.ts'
import { settle } from './platforms/settle.ts'
import { findAccount, findRenewed, type Account } from './queries.ts'
import { countUnknown, readMethodsOfPlatform, type Renewed, type RenewedHere } from './server/methods.ts'

export interface PlatformImport extends Import {
  /** Which of several shops on the platform it is: ids of one are no ids of another. */
  readonly shop?: string | undefined
  /** Rows that cannot come are left out; otherwise nothing is written while there is one. */
  readonly leavesOut?: boolean
  /** Subscriptions whose method of payment comes along are renewed here. */
  readonly renewsHere?: boolean
  /** A file of methods of payment (`readMethods`), by what the platform calls its subscriptions. */
  readonly methodsFile?: string | undefined
  onWritten?(ctx: TxContext, report: PlatformReport): Promise<void>
}

/** A bad row, and where it stands in the files of the platform; in a page of JSON the line is its number there. */
export interface BadPlatformRow extends BadRow {
  readonly file?: string
}

interface KeptPlatformRow extends KeptRow {
  readonly file?: string
}

export interface PlatformReport extends Omit<ImportReport, 'bad' | 'kept_rows'> {
  readonly bad: readonly BadPlatformRow[]
  readonly kept_rows: readonly KeptPlatformRow[]
  readonly platform: string
  /** The first thousand rows that cannot come, and how many there are. */
  readonly left: readonly LeftOut[]
  readonly left_count: number
  readonly aside: readonly PutAside[]
  /** What the platform has that does not come, or comes otherwise. */
  readonly does_not_fit: readonly NoFit[]
}

const NAMED = 1_000

/**
 * Brings into an account what lies in a folder of the exports, tables or saved pages of another platform (`importRows`), by
 * the platform's map. Ids are made of those of the platform, so that nothing comes twice and what has changed there since
 * is changed. `NoExport` where the folder has none of it.
 */
export async function importPlatform(
  ctx: Context,
  name: PlatformName,
  folder: string,
  given: PlatformImport,
): Promise<PlatformReport> {
  const platform = PLATFORMS[name]
  const account = await findAccount(ctx.db, given.developerId)
  if (!account?.storeIds[0]) throw new NoAccount(`There is no account ${given.developerId} with a store.`)
  const drafts = await rowsOf(ctx, platform, folder, { ...given, account })
  const isStopped = drafts.left.length > 0 && given.leavesOut !== true
  const source = sourceOf(sourceName(name, given.shop), drafts)
  const tell = (report: ImportReport): PlatformReport => ({
    ...report,
    dry_run: given.isDryRun,
    ...told(platform, drafts, report),
  })
  const report = await importRows(ctx, source, {
    ...given,
    isDryRun: given.isDryRun || isStopped,
    onWritten: async (tx, written) => given.onWritten?.(tx, tell(written)),
  })
  return tell(report)
}

interface Place {
  readonly kind: string
  readonly line: number
  readonly file?: string
}

function told({ name, noFit }: Platform, { rows, left, aside }: Drafts, report: ImportReport) {
  const placed = <Row extends Place>(one: Row): Row => {
    const draft = rows.get(one.kind)?.[one.line - 1]
    return draft ? { ...one, file: draft.given.file, line: draft.given.line } : one
  }
  return {
    bad: report.bad.map(placed),
    kept_rows: report.kept_rows.map(placed),
    platform: name,
    left: left.slice(0, NAMED),
    left_count: left.length,
    aside: [...aside].map(([text, count]) => {
      const [kind = '', reason = ''] = text.split(' ')
      return { kind, reason, count }
    }),
    does_not_fit: noFit,
  }
}

interface Reading extends PlatformImport {
  readonly account: Account
}

async function rowsOf(ctx: Context, platform: Platform, folder: string, reading: Reading): Promise<Drafts> {
  const { account, shop = '' } = reading
  const space: Space = { account: account.developerId, platform: platform.name, shop }
  const drafts = build(platform, await readRecords(platform, folder), space)
  const methods = await methodsOf(space, reading)
  noteUnused(drafts, methods)
  const emails = (drafts.rows.get('users') ?? []).map(({ row }) => String(row['email']))
  const finishing = {
    space,
    storeId: Math.min(...account.storeIds),
    now: ctx.clock.now(),
    persons: await personsHere(ctx, account, emails),
    renewed: await renewedOf(ctx, space, methods),
    renewsHere: reading.renewsHere === true,
  }
  const places = (drafts.rows.get('installs') ?? []).map(({ beside }) => String(beside['address'] ?? ''))
  const sites = await sitesHere(ctx, account, places.map(siteAddressOf))
  finish(drafts, { ...finishing, sites })
  await settle(ctx.db, account, drafts)
  complete(drafts, { space, sites, renewed: finishing.renewed })
  const ids = (kind: string) => (drafts.rows.get(kind) ?? []).map(({ id }) => [id])
  const pairs = (drafts.rows.get('product_users') ?? []).map(({ row }) =>
    [row['user_id'], row['product_id']].map(Number),
  )
  addKeys(drafts, {
    products: await keysFor(ctx, account, 'products', ids('products')),
    installs: await keysFor(ctx, account, 'installs', ids('installs')),
    product_users: await keysFor(ctx, account, 'product_users', pairs),
  })
  return drafts
}

/** Subscriptions that are renewed here already, and those that a file brings a method for. */
async function renewedOf(ctx: Context, space: Space, methods: RenewedHere): Promise<RenewedHere> {
  const here = await findRenewed(ctx.db, space.account)
  const renewed = here.map(({ id, gateway, payment_method_id: methodId }): readonly [number, Renewed] => [
    id,
    { methodId, gateway, method: null },
  ])
  return new Map([...renewed, ...methods])
}

/** The methods of a file, by the ids here of their subscriptions. */
async function methodsOf(space: Space, { methodsFile }: Reading): Promise<RenewedHere> {
  const found = methodsFile === undefined ? [] : await readMethodsOfPlatform(methodsFile)
  return new Map(
    Array.from(found, ([name, method]) => {
      const id = idOf(space, 'subscriptions', name)
      return [id, { ...method, methodId: idOf(space, 'methods', String(id)) }]
    }),
  )
}

/** Counts the methods whose subscription is in no file of the platform: nothing is renewed by them. */
function noteUnused({ rows, aside }: Drafts, methods: RenewedHere): void {
  const coming = new Set((rows.get('subscriptions') ?? []).map(({ id }) => id))
  const unused = countUnknown(methods, coming)
  if (unused > 0) aside.set('payment_methods unknown_subscription', unused)
}

/** The rows as a source of an import: the line of each is its number among those of its kind. */
function sourceOf(name: string, { rows }: Drafts): Source {
  const kinds = KINDS.filter((kind) => (rows.get(kind.name) ?? []).length > 0)
  return { name, kinds: kinds.map((kind) => ({ kind, lines: () => partsOf(rows.get(kind.name) ?? []) })) }
}

async function* partsOf(drafts: readonly Draft[]): AsyncGenerator<Line[]> {
  for (let at = 0; at < drafts.length; at += PART)
    yield drafts.slice(at, at + PART).map(({ row }, n) => ({ line: at + n + 1, given: row }))
}
