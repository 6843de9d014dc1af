import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import type { SharedType } from '../../db/tables/event-types.ts'
import { versionKey } from '../../lib/version-key.ts'
import { recordEvent } from '../../events/log/record.ts'
import {
  countDownload,
  countOffer,
  countReleases,
  deleteDeploymentRow,
  findReport,
  hurrySweep,
  insertDeployment,
  insertDownload,
  insertOffer,
  lockDeployment,
  updateDeploymentRow,
  withdrawOffer,
} from './queries.ts'
import { findDeployment, listDeployments } from './version-rows.ts'
import {
  presentDeployment,
  type BuildReport,
  type Deployment,
  type DeploymentRow,
  type DeploymentUpdate,
  type ShownDeployment,
} from './schema.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

export async function getDeployments(ctx: ReadContext, scope: Scope, page: Page): Promise<Deployment[]> {
  return (await listDeployments(ctx.db, scope, page)).map(presentDeployment)
}

/** 404 when the product has no such version. */
export async function getDeployment(ctx: ReadContext, scope: Scope, id: number): Promise<ShownDeployment> {
  const [row] = await findDeployment(ctx.db, scope, { id })
  if (!row) throw notFound('version')
  return row
}

/** What its free build leaves out, nothing where it has none; 404 when the product has no such version. */
export async function getBuildReport(ctx: ReadContext, scope: Scope, id: number): Promise<BuildReport> {
  const row = await findReport(ctx.db, scope, id)
  if (!row) throw notFound('version')
  const report = JSON.parse(row.build_report ?? '{}') as Partial<BuildReport>
  return { files: [], parts: [], no_free: null, ...report }
}

/** What is known of a version before it is one; the archives are in the storage. */
export type NewDeployment = Pick<
  DeploymentRow,
  | 'slug'
  | 'premium_slug'
  | 'version'
  | 'sdk_version'
  | 'requires_platform_version'
  | 'requires_programming_language_version'
  | 'tested_up_to_version'
  | 'free_file'
  | 'free_size'
  | 'premium_file'
  | 'premium_size'
  | 'readme'
  | 'build_report'
> & { readonly filename: string }

/** 400 `tag_version_taken` when the product has this version; of two uploads of it at once one is added. */
export async function createDeployment(
  ctx: TxContext,
  scope: Scope,
  { filename, ...columns }: NewDeployment,
): Promise<Deployment> {
  const row = await insertDeployment(ctx.db, {
    ...columns,
    product_id: scope.productId,
    developer_id: scope.developerId,
    version_key: versionKey(columns.version),
    release_mode: 'pending',
    is_incremental: false,
    max_users: null,
    offered: 0,
    uniques: 0,
    downloaded: 0,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!row) throw invalid('tag_version_taken', `The product has a version ${columns.version}.`, 'file')
  await countReleases(ctx.db, scope, countsIn(row))
  await record(ctx, scope, row, { type: 'plugin.version.deployed', data: { file: filename } })
  return presentDeployment(row)
}

const countsIn = ({ free_file: free, premium_file: premium }: ShownDeployment) => ({
  free: free === null ? 0 : 1,
  premium: premium === null ? 0 : 1,
})

/** How a version is released, with its limit already in users. */
export type Release = Pick<DeploymentUpdate, 'release_mode' | 'limit' | 'is_incremental' | 'is_sandbox'>

/** 404 when the product has no such version. What does not differ from what is there changes nothing. */
export async function updateDeployment(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { release_mode: mode, limit, is_incremental: incremental, is_sandbox: sandbox }: Release,
): Promise<Deployment> {
  const before = await lockDeployment(ctx.db, scope, id)
  if (!before) throw notFound('version')
  const change = {
    ...(mode !== undefined && mode !== before.release_mode && { release_mode: mode }),
    ...(limit !== undefined && limit !== before.max_users && { max_users: limit }),
    ...flagChange('is_incremental', incremental, before),
    ...flagChange('is_sandbox', sandbox, before),
  }
  if (Object.keys(change).length === 0) return presentDeployment(before)
  const now = ctx.clock.now()
  const row = await updateDeploymentRow(ctx.db, scope, id, { ...change, updated: now })
  const type = 'release_mode' in change ? RELEASED[row.release_mode] : 'plugin.version.updated'
  await record(ctx, scope, row, { type, data: {} })
  return presentDeployment(row)
}

/** What turns a flag to what was given, where that differs. */
const flagChange = (
  name: 'is_incremental' | 'is_sandbox',
  given: boolean | undefined,
  before: ShownDeployment,
): Partial<Pick<ShownDeployment, typeof name>> =>
  given === undefined || given === before[name] ? {} : { [name]: given }

const RELEASED = {
  released: 'plugin.version.released',
  beta: 'plugin.version.beta.released',
  pending: 'plugin.version.release.suspended',
} as const

/** 404 when the product has no such version; of two deletions at once one is. A job removes its archives. */
export async function deleteDeployment(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const row = await lockDeployment(ctx.db, scope, id)
  if (!row) throw notFound('version')
  await deleteDeploymentRow(ctx.db, scope, id)
  await hurrySweep(ctx.db)
  const { free, premium } = countsIn(row)
  await countReleases(ctx.db, scope, { free: -free, premium: -premium })
  await record(ctx, scope, row, { type: 'plugin.version.deleted', data: {} })
}

/** Offers a version whose number of users is limited; false when it has as many. Who has the offer keeps it. */
export async function offerTo(
  ctx: TxContext,
  scope: Scope,
  offer: { readonly id: number; readonly userId: number },
): Promise<boolean> {
  if (!(await insertOffer(ctx.db, scope, offer))) return true
  if (await countOffer(ctx.db, scope, offer.id)) return true
  await withdrawOffer(ctx.db, scope, offer)
  return false
}

/** Who a download is for; null where nobody is known. */
export interface Downloader {
  readonly userId: number | null
  readonly installId: number | null
}

/** Counts a download, and its user once, and tells of it; a version that was deleted meanwhile has nothing to count in. */
export async function noteDownload(
  ctx: TxContext,
  scope: Scope,
  row: ShownDeployment,
  by: Downloader & { readonly type: SharedType },
): Promise<void> {
  const now = ctx.clock.now()
  const { id } = row
  const { userId, installId, type } = by
  if (!(await lockDeployment(ctx.db, scope, id))) return
  const isFirst = userId !== null && (await insertDownload(ctx.db, scope, { id, userId, now }))
  await countDownload(ctx.db, scope, { id, isFirst })
  await recordEvent(ctx, scope, {
    type,
    ...(userId !== null && { userId }),
    ...(installId !== null && { installId }),
    data: { tag: String(id), version: row.version },
  })
}

const record = (
  ctx: TxContext,
  scope: Scope,
  row: ShownDeployment,
  { type, data }: { readonly type: SharedType; readonly data: Readonly<Record<string, unknown>> },
) =>
  recordEvent(ctx, scope, {
    type,
    data: { ...data, version: row.version, release_mode: row.release_mode, tag: String(row.id) },
  })
