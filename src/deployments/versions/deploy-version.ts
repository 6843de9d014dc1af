import { ownTypeOf } from '../../catalogue/products/types.ts'
import type { Context, ReadContext, TxContext } from '../../context.ts'
import type { ReceivedFile } from '../../http/body-arguments.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { formatMessage } from '../../http/wire.ts'
import { readBeside } from '../archive/read-upload.ts'
import type { Reading, Upload } from '../archive/reading.ts'
import { ArchiveRefused } from '../archive/safety.ts'
import type { Said } from '../archive/versions.ts'
import { ApiError, invalidFields, missingFields, notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { Deployment, DeploymentCreate, DeploymentUpdate } from './schema.ts'
import { updateDeployment, type NewDeployment } from './service.ts'
import { keptBuilds } from '../builds/build-version.ts'
import { countLicensedUsers, findDeployed } from './deploy-queries.ts'

/** 402 without a file. */
export function checkUpload(received: Readonly<Record<string, ReceivedFile>>, problems: Problems): void {
  if (!received['file']) problems.missing.push({ field: 'file', message: 'is required, as a part of a form' })
}

/**
 * Reads an uploaded archive and keeps its builds in the storage: all that is done before the version is added, so that
 * there is never a version without its files. 400 `invalid_archive` with the reason for one that cannot be taken.
 */
export async function prepareVersion(
  ctx: Context,
  scope: Scope,
  { body, file }: { readonly body: DeploymentCreate; readonly file: ReceivedFile | undefined },
): Promise<NewDeployment> {
  const product = await findDeployed(ctx.db, scope)
  if (!product) throw notFound('product')
  if (!file) throw new Error('That there is a file was checked.')
  const { facts, builds } = await withPlaces(ctx, async (places) => {
    const reading = await read(scope, {
      path: file.path,
      type: ownTypeOf(product) === null ? product.type : 'other',
      said: saidIn(body),
      isSdkRequired: product.is_sdk_required,
      isSold: product.is_sold,
      hasFreePlan: product.has_free_plan,
      places,
    })
    return { facts: reading.facts, builds: await keptBuilds(ctx, file, reading) }
  })
  return {
    slug: product.slug,
    premium_slug: builds.premium_file === null ? null : (facts.slug ?? product.slug),
    version: facts.version,
    sdk_version: facts.sdkVersion,
    requires_platform_version: facts.requiresPlatform,
    requires_programming_language_version: facts.requiresLanguage,
    tested_up_to_version: facts.testedUpTo,
    readme: facts.readme && JSON.stringify(facts.readme),
    ...builds,
    filename: file.filename,
  }
}

/** Nothing else of a body is given to the thread that reads. */
const saidIn = (body: DeploymentCreate): Said => ({
  version: body.version,
  sdk_version: body.sdk_version,
  requires_platform_version: body.requires_platform_version,
  requires_programming_language_version: body.requires_programming_language_version,
  tested_up_to_version: body.tested_up_to_version,
  readme: body.readme,
})

/** Two files for builds, of which nothing is left but what was kept. */
async function withPlaces<T>(
  { storage }: Context,
  work: (places: Upload['places']) => Promise<T>,
): Promise<T> {
  const places = [await storage.place(), await storage.place()] as const
  try {
    return await work(places)
  } finally {
    await Promise.all(places.map((path) => storage.discard({ path })))
  }
}

async function read({ developerId }: Scope, upload: Upload): Promise<Reading> {
  const reading = await readBeside(upload, developerId).catch((error: unknown) => {
    if (!(error instanceof ArchiveRefused)) throw error
    throw new ApiError(400, 'invalid_archive', `The file ${error.message}.`, {
      details: [{ field: 'file', message: error.message }],
    })
  })
  if ('missing' in reading)
    throw missingFields(reading.missing.map((field) => ({ field, message: 'is required' })))
  if ('malformed' in reading)
    throw invalidFields([{ field: reading.malformed, message: formatMessage('version') }])
  return reading
}

/** What a change of a release comes to: a percentage is one of the users who have a license now, in whole users. */
export async function releaseVersion(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { percentage_limit: percentage, ...change }: DeploymentUpdate,
): Promise<Deployment> {
  const product = await findDeployed(ctx.db, scope)
  const isStaged =
    percentage !== undefined || typeof change.limit === 'number' || change.is_incremental === true
  if (isStaged && product && isReleasedAtOnce(product))
    throw new ApiError(400, 'not_applicable', 'Widgets and templates are released to everybody at once.')
  const limit = percentage === undefined ? change.limit : await usersOf(ctx, scope, percentage)
  return updateDeployment(ctx, scope, id, { ...change, ...(limit !== undefined && { limit }) })
}

const isReleasedAtOnce = (product: Parameters<typeof ownTypeOf>[0]) =>
  (product.type === 'widget' || product.type === 'template') && ownTypeOf(product) === null

/** Null for all of them. */
async function usersOf(ctx: ReadContext, scope: Scope, percentage: number): Promise<number | null> {
  if (percentage === 100) return null
  const now = toUtcTime(ctx.clock.of(scope.productId, 0))
  return Math.round(((await countLicensedUsers(ctx.db, scope, now)) * percentage) / 100)
}
