import type { Archive } from '../archive/archive.ts'
import { buildOf, hasReadme, refuseUninstall, type Build, type BuildReport } from '../archive/builds.ts'
import { rootOf } from '../archive/wordpress.ts'
import type { VersionFacts } from '../archive/versions.ts'
import type { Context } from '../context.ts'
import type { NewDeployment } from '../resources/deployments/service.ts'
import type { Received } from '../storage/storage.ts'

interface Uploaded {
  readonly archive: Archive
  readonly file: Received
  readonly facts: VersionFacts
  readonly product: {
    readonly is_sdk_required: 0 | 1
    /** A number or a boolean, as the database answers. */
    readonly is_sold: unknown
    readonly has_free_plan: unknown
  }
}

type Builds = Pick<
  NewDeployment,
  'free_file' | 'free_size' | 'premium_file' | 'premium_size' | 'build_report'
>

/** Bytes of a build, which is no larger than what was uploaded but for how it is packed. */
const MAX_BUILD = 1024 ** 3

/**
 * The builds of an uploaded archive, kept in the storage. What was uploaded is the premium build, and of a product
 * without a price the free one too. Of one that is sold only a plugin or theme that WordPress finds has a free one: when
 * something in it is marked as premium or the product has a free plan, it has a readme, and the SDK where the product
 * needs it (`spec/behaviour/deployments…` 1).
 */
export async function buildsOf(ctx: Context, uploaded: Uploaded): Promise<Builds> {
  const { file, facts, product } = uploaded
  const isSold = Number(product.is_sold) === 1
  const hasFreePlan = Number(product.has_free_plan) === 1
  if (facts.slug === null) {
    const own = await kept(ctx, file)
    return builds(isSold ? null : own, own)
  }
  return builtForWordpress(ctx, uploaded, { isSold, hasFreePlan })
}

async function builtForWordpress(
  ctx: Context,
  { archive, file, facts, product }: Uploaded,
  { isSold, hasFreePlan }: Sale,
): Promise<Builds> {
  const free = await buildOf(archive, 'free')
  const offer = freeOffer(free.report, { archive, facts, product, isSold, hasFreePlan })
  if (hasSdk(facts) || offer === 'cut') refuseUninstall(archive, rootOf(archive))
  const full = await buildOf(archive, 'premium')
  const premium = await stored(ctx, file, full)
  if (offer === 'none') return builds(null, premium)
  const isOne = !free.bytes && !full.bytes
  return builds(isOne ? premium : await stored(ctx, file, free), premium, free.report)
}

interface Sale {
  readonly isSold: boolean
  readonly hasFreePlan: boolean
}

const hasSdk = ({ sdkVersion }: VersionFacts) => sdkVersion !== ''

/** Everything for all, where nothing is sold or marked; a build without what is marked; or no free build. */
function freeOffer(
  { files, parts }: BuildReport,
  { archive, facts, product, isSold, hasFreePlan }: Omit<Uploaded, 'file'> & Sale,
): 'all' | 'cut' | 'none' {
  const isMarked = files.length > 0 || parts.some(({ part }) => part !== 'kept')
  if (!isSold && !isMarked) return 'all'
  const canBeBuilt = hasReadme(archive) && (hasSdk(facts) || product.is_sdk_required === 0)
  return canBeBuilt && (isMarked || hasFreePlan) ? 'cut' : 'none'
}

interface Kept {
  readonly sha256: string
  readonly size: number
}

/** What was built, or where nothing was what was uploaded. */
async function stored(ctx: Context, file: Received, { bytes }: Build): Promise<Kept> {
  if (!bytes) return kept(ctx, file)
  const received = await ctx.storage.receive(bytes, MAX_BUILD)
  try {
    await ctx.storage.keep(received)
  } finally {
    await ctx.storage.discard(received)
  }
  return received
}

async function kept({ storage }: Context, file: Received): Promise<Kept> {
  await storage.keep(file)
  return file
}

const builds = (free: Kept | null, premium: Kept | null, report?: BuildReport): Builds => ({
  free_file: free?.sha256 ?? null,
  free_size: free?.size ?? null,
  premium_file: premium?.sha256 ?? null,
  premium_size: premium?.size ?? null,
  build_report: report ? JSON.stringify(report) : null,
})
