import type { Context, ReadContext, TxContext } from '../context.ts'
import type { ReceivedFile } from '../http/body-arguments.ts'
import type { Problems } from '../http/decode.ts'
import type { Scope } from '../http/scope.ts'
import { formatMessage } from '../http/wire.ts'
import { openArchive, type Archive } from '../archive/archive.ts'
import { parseReadme } from '../archive/readme.ts'
import { ArchiveRefused } from '../archive/safety.ts'
import type { VersionFacts } from '../archive/versions.ts'
import { holdsWordpress, NoHeader, wordpressFacts } from '../archive/wordpress.ts'
import { ApiError, invalidFields, missingFields, notFound } from '../lib/errors.ts'
import { toUtcTime } from '../lib/time.ts'
import { isVersion } from '../lib/version-key.ts'
import type { Deployment, DeploymentCreate, DeploymentUpdate } from '../resources/deployments/schema.ts'
import { updateDeployment, type NewDeployment } from '../resources/deployments/service.ts'
import { buildsOf } from './build-version.ts'
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
  return withArchive(file.path, async (archive) => {
    const facts = await factsOf(archive, product.type, body)
    const builds = await buildsOf(ctx, { archive, file, facts, product })
    const { version } = facts
    return {
      slug: product.slug,
      premium_slug: builds.premium_file === null ? null : (facts.slug ?? product.slug),
      version,
      sdk_version: facts.sdkVersion,
      requires_platform_version: facts.requiresPlatform,
      requires_programming_language_version: facts.requiresLanguage,
      tested_up_to_version: facts.testedUpTo,
      readme: facts.readme && JSON.stringify(facts.readme),
      ...builds,
      filename: file.filename,
    }
  })
}

async function withArchive<T>(path: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  try {
    const archive = await openArchive(path)
    try {
      return await work(archive)
    } finally {
      archive.close()
    }
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    const message = `The file ${error.message}.`
    throw new ApiError(400, 'invalid_archive', message, {
      details: [{ field: 'file', message: error.message }],
    })
  }
}

type Facts = VersionFacts & { readonly version: string }
type ProductType = 'plugin' | 'theme' | 'widget' | 'template'

/** From the archive of a plugin or theme, from `data` otherwise, and where the archive does not say. */
async function factsOf(archive: Archive, type: ProductType, body: DeploymentCreate): Promise<Facts> {
  const isWordpress = type === 'plugin' || type === 'theme'
  const found = isWordpress ? await wordpressOr(archive, type, body) : null
  const own = found ? either(found, factsIn(body)) : factsIn(body)
  const { version } = own
  const missing = [
    ...(version === null ? ['version'] : []),
    ...(own.requiresPlatform === null && !isWordpress ? ['requires_platform_version'] : []),
  ]
  if (version === null || missing.length > 0)
    throw missingFields(missing.map((field) => ({ field, message: 'is required' })))
  if (!isVersion(version)) throw invalidFields([{ field: 'version', message: formatMessage('version') }])
  return { ...own, version }
}

const factsIn = (data: DeploymentCreate): VersionFacts => ({
  version: data.version ?? null,
  sdkVersion: data.sdk_version ?? '',
  requiresPlatform: data.requires_platform_version ?? null,
  requiresLanguage: data.requires_programming_language_version ?? null,
  testedUpTo: data.tested_up_to_version ?? null,
  slug: null,
  readme: data.readme ? parseReadme(data.readme) : null,
})

/** What is found in an archive, which has the SDK in it or none, and what is said where it does not say. */
const either = (found: VersionFacts, said: VersionFacts): VersionFacts => ({
  ...found,
  version: found.version ?? said.version,
  requiresPlatform: found.requiresPlatform ?? said.requiresPlatform,
  requiresLanguage: found.requiresLanguage ?? said.requiresLanguage,
  testedUpTo: found.testedUpTo ?? said.testedUpTo,
  readme: found.readme ?? said.readme,
})

/**
 * What no WordPress reads may be sold as a plugin too, null here; who sends it says its version. ArchiveRefused for what is of
 * WordPress and was packed so that it is not found: nothing of it would be cut.
 */
async function wordpressOr(archive: Archive, type: 'plugin' | 'theme', { version }: DeploymentCreate) {
  try {
    return await wordpressFacts(archive, type)
  } catch (error) {
    if (!(error instanceof NoHeader) || version === undefined) throw error
    if (await holdsWordpress(archive))
      throw new ArchiveRefused(
        'has a plugin, a theme or the SDK in it where WordPress does not find it, which is in one folder at the top',
      )
    return null
  }
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
  if (isStaged && (product?.type === 'widget' || product?.type === 'template'))
    throw new ApiError(400, 'not_applicable', 'Widgets and templates are released to everybody at once.')
  const limit = percentage === undefined ? change.limit : await usersOf(ctx, scope, percentage)
  return updateDeployment(ctx, scope, id, { ...change, ...(limit !== undefined && { limit }) })
}

/** Null for all of them. */
async function usersOf(ctx: ReadContext, scope: Scope, percentage: number): Promise<number | null> {
  if (percentage === 100) return null
  const now = toUtcTime(ctx.clock.of(scope.productId, 0))
  return Math.round(((await countLicensedUsers(ctx.db, scope, now)) * percentage) / 100)
}
