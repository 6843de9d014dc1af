import type { Context, ReadContext, TxContext } from '../../context.ts'
import type { Actor, Scope } from '../../access/scope.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { isRefused } from '../../events/delivery/guard.ts'
import type { ReceivedFile, ReceivedFiles } from '../../http/body-arguments.ts'
import type { Problems } from '../../http/decode.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { keptOf } from '../../lists/asker.ts'
import { NOTHING_YET } from '../begun-rows.ts'
import { isPlatform, sourceName } from '../platforms/names.ts'
import type { Login } from '../server/client.ts'
import {
  cancelAsked,
  findImport,
  insertAsked,
  pageOfImports,
  pageOfReport,
  startAsked,
  undoAsked,
} from './queries.ts'
import {
  presentReportLine,
  type Import,
  type ImportList,
  type ImportRow,
  type KindProgress,
  type NewImport,
  type ReportLine,
  type ReportList,
} from './schema.ts'
import { refusalOfMethods, refusalOfName } from './sources.ts'

const PLACE = 'imports.asked'

/** What an import is to bring, and how. */
export interface Wanted {
  readonly source: NewImport['source']
  readonly login: Login | null
  /** How the file of methods of payment was called. */
  readonly methodsName: string | null
  /** Of a platform: whether rows that cannot come are left out, which shop it is, and what is renewed here. */
  readonly leavesOut: boolean
  readonly shop: string | null
  readonly renewsHere: boolean
}

/** What an import was asked for by, as it is kept while there is work to do. */
export interface Asked extends Wanted {
  readonly actor: Actor
  readonly ip: string | null
  readonly requestId: string | null
}

/** What a request has said. */
interface Sent {
  readonly body: NewImport
  readonly received: ReceivedFiles
}

const LOGIN = ['url', 'from_developer_id', 'public_key', 'secret_key'] as const

/** Adds what is missing, of a file or of a server, to the problems of the request, and an address that may not be called. */
export function checkImport(
  ctx: ReadContext,
  { body: { source, ...body }, received: { file, payment_methods: methods } }: Sent,
  problems: Problems,
): void {
  if (problems.has('source')) return
  if (source === 'server') checkLogin(ctx, body, problems)
  else if (!file) problems.missing.push({ field: 'file', message: 'is required, as a part of a form' })
  for (const field of OF_PLATFORM)
    if (body[field] && !isPlatform(source))
      problems.malformed.push({ field, message: 'is for what comes from another platform' })
  const refused = [
    { field: 'file', message: file ? refusalOfName(source, file.filename) : null },
    { field: 'payment_methods', message: methods ? refusalOfMethods(source, methods.filename) : null },
  ]
  for (const { field, message } of refused) if (message !== null) problems.malformed.push({ field, message })
}

const OF_PLATFORM = ['leave_out', 'shop', 'renew_here'] as const

function checkLogin(ctx: ReadContext, body: Omit<NewImport, 'source'>, problems: Problems): void {
  for (const field of LOGIN)
    if (body[field] === undefined && !problems.has(field))
      problems.missing.push({ field, message: 'is required of a server' })
  if (body.url !== undefined && !problems.has('url') && isRefused(body.url, ctx.config))
    problems.malformed.push({
      field: 'url',
      message: 'must be an address of the internet, or one that KEYWRIGHT_WEBHOOK_ALLOW lists',
    })
}

/** Keeps files in the storage, before there is an import that names them. */
export async function keepFiles(
  { storage }: Pick<Context, 'storage'>,
  { file, payment_methods: methods }: ReceivedFiles,
): Promise<void> {
  if (file) await storage.keep(file)
  if (methods) await storage.keep(methods)
}

/**
 * Asks for an import, which the job `bring-imports` does. 400 `import_under_way` while another one of the account is in
 * hand or waits to be started.
 */
export async function askForImport(
  ctx: TxContext,
  scope: Scope,
  { body, received: { file, payment_methods: methods } }: Sent,
): Promise<Import> {
  const wanted = wantedBy(body, methods)
  const row = await orUnderWay(
    insertAsked(ctx.db, {
      ...NOTHING_YET,
      developer_id: scope.developerId,
      source: nameOf(wanted),
      state: 'checking',
      is_dry_run: body.dry_run,
      asked: sealed(ctx, scope, wanted),
      file: file?.sha256 ?? null,
      file_name: file?.filename.slice(0, 255) ?? null,
      methods_file: methods?.sha256 ?? null,
      created: ctx.clock.now(),
      due_at: ctx.clock.real(),
      fence: 0,
    }),
  )
  return presentImport(row)
}

const wantedBy = (body: NewImport, methods: ReceivedFile | undefined): Wanted => ({
  source: body.source,
  login: loginIn(body),
  methodsName: methods?.filename.slice(0, 255) ?? null,
  leavesOut: body.leave_out,
  shop: body.shop?.trim() || null,
  renewsHere: body.renew_here,
})

/** As the command line calls the same source. */
function nameOf({ source, login, shop }: Wanted): string {
  if (login) return new URL(login.url).origin
  return isPlatform(source) ? sourceName(source, shop ?? undefined) : source
}

function loginIn(body: NewImport): Login | null {
  const { source, url, from_developer_id: developerId, public_key: publicKey, secret_key: secretKey } = body
  if (source !== 'server' || url === undefined || developerId === undefined) return null
  return { url, developerId, publicKey: publicKey ?? '', secretKey: secretKey ?? '' }
}

const sealed = ({ keys }: Pick<ReadContext, 'keys'>, { actor, ip, requestId }: Scope, what: Wanted): string =>
  keys.seal(JSON.stringify({ ...what, actor: keptOf(actor), ip, requestId } satisfies Asked), PLACE)

/** What was asked for, of a row that there is work for. */
export const askedIn = ({ keys }: Pick<ReadContext, 'keys'>, { asked }: Pick<ImportRow, 'asked'>): Asked =>
  JSON.parse(keys.open(asked ?? '', PLACE)) as Asked

async function orUnderWay<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid('import_under_way', 'Another import of the account is under way, or waits to be started.')
  }
}

/** A page of the imports of the account, those of the command line too, newest first. */
export const getImports = async (ctx: ReadContext, scope: Scope, page: ImportList): Promise<Import[]> =>
  (await pageOfImports(ctx.db, scope, page)).map(presentImport)

/** 404 when the account has no such import. */
async function ownImport(ctx: ReadContext, scope: Scope, id: number): Promise<ImportRow> {
  const row = await findImport(ctx.db, scope, id)
  if (!row) throw notFound('import')
  return row
}

export const getImport = async (ctx: ReadContext, scope: Scope, id: number): Promise<Import> =>
  presentImport(await ownImport(ctx, scope, id))

/** A page of what the last look, or undoing it, has found. */
export async function getReport(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  page: ReportList,
): Promise<ReportLine[]> {
  const { id: importId } = await ownImport(ctx, scope, id)
  return (await pageOfReport(ctx.db, importId, page)).map(presentReportLine)
}

/** Has an import write that was looked at; the job looks again first. 400 `import_not_possible` where it does not wait. */
export async function startImport(ctx: TxContext, scope: Scope, id: number): Promise<Import> {
  const { id: importId } = await ownImport(ctx, scope, id)
  return orNotPossible(await startAsked(ctx.db, importId, ctx.clock.real()), 'does not wait to be started')
}

/** Ends an import where it is; what it has brought stays, and can be undone. 400 `import_not_possible` where it is over. */
export async function cancelImport(ctx: TxContext, scope: Scope, id: number): Promise<Import> {
  const { id: importId } = await ownImport(ctx, scope, id)
  return orNotPossible(await cancelAsked(ctx.db, importId, ctx.clock.now()), 'is not under way')
}

const UNDOING: Wanted = {
  source: 'files',
  login: null,
  methodsName: null,
  leavesOut: false,
  shop: null,
  renewsHere: false,
}

/**
 * Has the job take out again what an import has brought, also one of the command line. 400 `import_not_possible` where
 * it has brought nothing or is under way, `import_under_way` while another one is.
 */
export async function undoOneImport(ctx: TxContext, scope: Scope, id: number): Promise<Import> {
  const { id: importId } = await ownImport(ctx, scope, id)
  const asked = sealed(ctx, scope, UNDOING)
  const row = await orUnderWay(undoAsked(ctx.db, importId, { now: ctx.clock.real(), asked }))
  return orNotPossible(row, 'has nothing to take out, or is under way')
}

function orNotPossible(row: ImportRow | undefined, why: string): Import {
  if (!row) throw invalid('import_not_possible', `The import ${why}.`)
  return presentImport(row)
}

/** Row → wire. */
function presentImport(row: ImportRow): Import {
  const kinds = JSON.parse(row.kinds) as KindProgress[]
  return {
    id: String(row.id),
    source: row.source,
    file_name: row.file_name,
    is_dry_run: row.is_dry_run,
    state: row.state,
    is_at_work: row.due_at !== null,
    progress: progressOf(row, kinds),
    reading: row.reading,
    kind: row.kind === '' ? null : row.kind,
    rows: row.row_count,
    added: row.added,
    changed: row.changed,
    same: row.same,
    kept: row.kept,
    bad: row.bad,
    left_out: row.left_out,
    aside: JSON.parse(row.aside) as Import['aside'],
    does_not_fit: JSON.parse(row.does_not_fit) as Import['does_not_fit'],
    removed: row.removed,
    stayed: row.stayed,
    kinds,
    error: row.error,
    created: row.created,
    finished_at: row.finished_at,
    expires_at: row.state === 'checked' && row.due_at !== null ? toUtcTime(row.due_at) : null,
  }
}

function progressOf({ state, row_count: rows, added, removed }: ImportRow, kinds: readonly KindProgress[]) {
  if (state === 'running' && rows > 0)
    return Math.min(1, kinds.reduce((sum, { written }) => sum + written, 0) / rows)
  if (state === 'undoing' && added > 0) return Math.min(1, removed / added)
  return state === 'checking' || state === 'running' || state === 'undoing' ? null : 1
}
