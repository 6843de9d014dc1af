import { isVersion } from '../../lib/version-key.ts'
import type { Archive } from './archive.ts'
import { parseReadme } from './readme.ts'
import { ArchiveRefused } from './safety.ts'
import type { Said, VersionFacts } from './versions.ts'
import { holdsWordpress, NoHeader, wordpressFacts } from './wordpress.ts'

export type Facts = VersionFacts & { readonly version: string }
/** `other`: software that is of no platform of which a version could be named. */
export type ProductType = 'plugin' | 'theme' | 'widget' | 'template' | 'other'

/** What neither the archive nor who sent it has said, or said so that it is none. */
export type Wanting = { readonly missing: readonly string[] } | { readonly malformed: 'version' }

/** From the archive of a plugin or theme, from `said` otherwise, and where the archive does not say. */
export async function factsOf(archive: Archive, type: ProductType, said: Said): Promise<Facts | Wanting> {
  const isWordpress = type === 'plugin' || type === 'theme'
  const found = isWordpress ? await wordpressOr(archive, type, said) : null
  const own = found ? either(found, factsIn(said)) : factsIn(said)
  const { version } = own
  const missing = [
    ...(version === null ? ['version'] : []),
    ...(own.requiresPlatform === null && (type === 'widget' || type === 'template')
      ? ['requires_platform_version']
      : []),
  ]
  if (version === null || missing.length > 0) return { missing }
  return isVersion(version) ? { ...own, version } : { malformed: 'version' }
}

const factsIn = (said: Said): VersionFacts => ({
  version: said.version ?? null,
  sdkVersion: said.sdk_version ?? '',
  requiresPlatform: said.requires_platform_version ?? null,
  requiresLanguage: said.requires_programming_language_version ?? null,
  testedUpTo: said.tested_up_to_version ?? null,
  slug: null,
  readme: said.readme ? parseReadme(said.readme) : null,
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
async function wordpressOr(archive: Archive, type: 'plugin' | 'theme', { version }: Said) {
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
