import { receiveInto } from '../../lib/receive.ts'
import type { Received } from '../../lib/receive.ts'
import { openArchive, type Archive } from './archive.ts'
import { buildOf, hasReadme, refuseUninstall, type Build, type BuildReport, type NoFree } from './builds.ts'
import { factsOf, type Facts, type ProductType, type Wanting } from './facts.ts'
import type { Said, VersionFacts } from './versions.ts'
import { rootOf } from './wordpress.ts'

/** An uploaded archive, and what its builds depend on. */
export interface Upload {
  readonly path: string
  readonly type: ProductType
  readonly said: Said
  readonly isSdkRequired: boolean
  /** Whether the product has a price. */
  readonly isSold: boolean
  readonly hasFreePlan: boolean
  /** Where the builds are written, in files that are not there: the premium one, the free one. */
  readonly places: readonly [string, string]
}

/** A build that is what was uploaded, or a file of its own. */
export type Built = 'upload' | Received

/** What is in an archive that can be taken. */
export interface Reading {
  readonly facts: Facts
  /** Null: there is none. */
  readonly premium: Built | null
  readonly free: Built | null
  readonly report: BuildReport | null
}

/** Bytes of a build, which is no larger than what was uploaded but for how it is packed. */
const MAX_BUILD = 1024 ** 3

/**
 * Reads an uploaded archive, checks all of it, and writes its builds. What was uploaded is the premium build, and of a
 * product without a price the free one too. Of one that is sold only a plugin or theme that WordPress finds has a free
 * one: when something in it is marked as premium or the product has a free plan, it has a readme, and the SDK where the
 * product needs it (`docs/interface.md` 12.5). ArchiveRefused with a reason for one that cannot be taken.
 */
export async function readUpload(upload: Upload): Promise<Reading | Wanting> {
  const archive = await openArchive(upload.path)
  try {
    const facts = await factsOf(archive, upload.type, upload.said)
    if (!('version' in facts)) return facts
    if (facts.slug !== null) return await builtForWordpress(archive, facts, upload)
    if (!upload.isSold) return { facts, premium: 'upload', free: 'upload', report: null }
    return { facts, premium: 'upload', free: null, report: without('not_wordpress') }
  } finally {
    archive.close()
  }
}

async function builtForWordpress(archive: Archive, facts: Facts, upload: Upload): Promise<Reading> {
  const free = await buildOf(archive, 'free')
  const offer = freeOffer(free.report, archive, facts, upload)
  if (hasSdk(facts) || offer === 'cut') refuseUninstall(archive, rootOf(archive))
  const full = await buildOf(archive, 'premium')
  const [place, freePlace] = upload.places
  const premium = await written(full, place)
  if (offer !== 'all' && offer !== 'cut') return { facts, premium, free: null, report: without(offer) }
  const isOne = !free.bytes && !full.bytes
  return { facts, premium, free: isOne ? premium : await written(free, freePlace), report: free.report }
}

const without = (no_free: NoFree): BuildReport => ({ files: [], parts: [], no_free })

const hasSdk = ({ sdkVersion }: VersionFacts) => sdkVersion !== ''

/** Everything for all, where nothing is sold or marked; a build without what is marked; or why there is no free one. */
function freeOffer(
  { files, parts }: BuildReport,
  archive: Archive,
  facts: VersionFacts,
  { isSold, isSdkRequired, hasFreePlan }: Upload,
): 'all' | 'cut' | NoFree {
  const isMarked = files.length > 0 || parts.some(({ part }) => part !== 'kept')
  if (!isSold && !isMarked) return 'all'
  if (!isMarked && !hasFreePlan) return 'nothing_marked'
  if (!hasReadme(archive)) return 'no_readme'
  return hasSdk(facts) || !isSdkRequired ? 'cut' : 'no_sdk'
}

const written = async ({ bytes }: Build, path: string): Promise<Built> =>
  bytes ? receiveInto(path, bytes, MAX_BUILD) : 'upload'
