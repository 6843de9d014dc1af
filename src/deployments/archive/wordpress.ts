import type { Archive, ArchiveEntry } from './archive.ts'
import { parseReadme } from './readme.ts'
import { ArchiveRefused } from './safety.ts'
import type { VersionFacts } from './versions.ts'

/** As WordPress reads it for headers. */
const HEADER_BYTES = 8_192
const README_BYTES = 512 * 1024
/** A plugin has its main file in its folder, among a few others. */
const MOST_CANDIDATES = 200
/** Of files that may be a plugin's main file anywhere in an archive. */
const MOST_SEARCHED = 2_000

/** It is no plugin or theme that WordPress would find. */
export class NoHeader extends ArchiveRefused {}

type Entries = Pick<Archive, 'entries'>

/** What some systems pack beside the folder of the seller. */
const LITTER = /^(?:__MACOSX\/|\.DS_Store$)/

/** The entries without what a system has added beside them. */
export const ownEntries = ({ entries }: Entries): readonly ArchiveEntry[] =>
  entries.filter(({ name }) => !LITTER.test(name))

/** The folder that everything is in; a plugin or theme is installed by it. */
export function rootOf(archive: Entries): string {
  const entries = ownEntries(archive)
  const [first = ''] = entries.map(({ name }) => name.slice(0, name.indexOf('/') + 1))
  if (first === '' || !entries.every(({ name }) => name.startsWith(first)))
    throw new NoHeader(
      'must have everything in one folder, that of the plugin or theme; what is not for WordPress needs its version said, as version in data or by --tag',
    )
  return first
}

/**
 * What the archive of a WordPress plugin or theme says of its version: the header of its main file, its readme, the
 * SDK in it (`docs/interface.md` 12.5).
 */
export async function wordpressFacts(archive: Archive, type: 'plugin' | 'theme'): Promise<VersionFacts> {
  const root = rootOf(archive)
  const main = await mainFile(archive, { root, type })
  const readme = await readmeIn(archive, root)
  const header = (name: string) => headerOf(main, name) ?? (readme ? headerOf(readme, name) : null)
  return {
    version: headerOf(main, 'Version'),
    sdkVersion: (await sdkIn(archive))?.version ?? '',
    requiresPlatform: header('Requires at least'),
    requiresLanguage: header('Requires PHP'),
    testedUpTo: header('Tested up to'),
    slug: root.slice(0, -1),
    readme: readme === null ? null : parseReadme(readme),
  }
}

interface Wanted {
  readonly root: string
  readonly type: 'plugin' | 'theme'
}

/** The beginning of the file that makes the folder a plugin or theme. */
async function mainFile(archive: Archive, { root, type }: Wanted): Promise<string> {
  const inRoot = ownEntries(archive).filter(
    ({ name, isFolder }) => !isFolder && !name.slice(root.length).includes('/'),
  )
  const isTheme = type === 'theme'
  const candidates = inRoot.filter(({ name }) =>
    isTheme ? name === `${root}style.css` : name.endsWith('.php'),
  )
  const header = isTheme ? 'Theme Name' : 'Plugin Name'
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    const text = (await archive.read(candidate, HEADER_BYTES)).toString('utf8')
    if (headerOf(text, header) !== null) return text
  }
  throw new NoHeader(
    `has no file with the header "${header}:" in its folder; what is not for WordPress needs its version said, as version in data or by --tag`,
  )
}

/** The value of a header as WordPress finds it; null when it is not there or is no single line of plain text. */
export function headerOf(text: string, name: string): string | null {
  const found = new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${name}:(.*)$`, 'im').exec(
    text.replaceAll('\r', '\n'),
  )
  const value = found?.[1]?.replace(/(?:\*\/|\?>).*/, '').trim() ?? ''
  return value === '' || value.length > 200 ? null : value
}

export const readmeEntry = (archive: Pick<Archive, 'entries'>, root: string): ArchiveEntry | undefined =>
  archive.entries.find(({ name }) => name.toLowerCase() === `${root}readme.txt`.toLowerCase())

async function readmeIn(archive: Archive, root: string): Promise<string | null> {
  const entry = readmeEntry(archive, root)
  return entry ? (await archive.read(entry, README_BYTES)).toString('utf8') : null
}

/** The SDK that is in the archive, wherever it is, with its folder; null without one. */
export async function sdkIn(archive: Archive): Promise<{ version: string; folder: string } | null> {
  const starts = archive.entries.filter(({ name }) => /(?:^|\/)start\.php$/.test(name))
  for (const start of starts.slice(0, MOST_CANDIDATES)) {
    const text = (await archive.read(start, HEADER_BYTES)).toString('latin1')
    const [, version] = /\$this_sdk_version\s*=\s*['"]([0-9A-Za-z.+-]{1,32})['"]/.exec(text) ?? []
    if (version !== undefined)
      return { version, folder: start.name.slice(0, start.name.lastIndexOf('/') + 1) }
  }
  return null
}

/**
 * Whether something of WordPress is in an archive that WordPress would not find: the header of a plugin or theme, or
 * the SDK, in any folder.
 */
export async function holdsWordpress(archive: Archive): Promise<boolean> {
  if (await sdkIn(archive)) return true
  const candidates = ownEntries(archive)
    .filter(({ name, isFolder }) => !isFolder && /\.php$|(?:^|\/)style\.css$/i.test(name))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
  for (const candidate of candidates.slice(0, MOST_SEARCHED)) {
    const text = (await archive.read(candidate, HEADER_BYTES)).toString('utf8')
    if (headerOf(text, candidate.name.endsWith('.css') ? 'Theme Name' : 'Plugin Name') !== null) return true
  }
  return false
}

const depthOf = ({ name }: ArchiveEntry) => name.split('/').length
