import type { Archive, ArchiveEntry } from './archive.ts'
import { MOST_CUTS, tooMany, type Part } from './cuts.ts'
import { isIn } from './paths.ts'
import { progress } from './progress.ts'
import { ArchiveRefused } from './safety.ts'
import { strippedFile, type Kind } from './stripped.ts'
import { ownEntries, readmeEntry, rootOf, sdkIn } from './wordpress.ts'
import { zipBytes, type Written } from './zip-writer.ts'

/** What a build leaves out of what was uploaded, and which calls of premium code it keeps. */
export interface BuildReport {
  readonly files: readonly string[]
  readonly parts: readonly Cut[]
  /** Why there is no free build; absent where there is one. */
  readonly no_free?: NoFree
}

/** What a product that is sold has no free build for. */
export type NoFree = 'not_wordpress' | 'no_readme' | 'no_sdk' | 'nothing_marked'

interface Cut {
  readonly file: string
  readonly part: Part
  readonly line: number
}

export interface Build {
  /** Equal for equal uploads, byte for byte; null: what was uploaded. */
  readonly bytes: AsyncIterable<Buffer> | null
  readonly report: BuildReport
}

const PHP = /\.(?:php\d?|phtml|inc)$/i
/** What has a zero byte among its first ones is no text. */
const FIRST_BYTES = 1_024
/** Longer ones are no code of hands: they stay as they are, or are refused where something in them is marked. */
const MOST_TEXT = 4 * 1024 * 1024
/** Paths that the headers of the files in the plugin's folder name. */
const MOST_PATHS = 2_000

/**
 * ArchiveRefused for an `uninstall.php`: the SDK's own would not run, and it would clear up while the other build is in
 * use.
 */
export function refuseUninstall({ entries }: Pick<Archive, 'entries'>, root: string): void {
  if (entries.some(({ name }) => name.toLowerCase() === `${root}uninstall.php`.toLowerCase()))
    throw new ArchiveRefused(
      'has an uninstall.php; register_uninstall_hook(), or after_uninstall of the SDK, takes its place',
    )
}

/** Whether a free build can be made: it has a readme in its folder. */
export const hasReadme = (archive: Pick<Archive, 'entries'>): boolean =>
  readmeEntry(archive, rootOf(archive)) !== undefined

/**
 * A build of a WordPress plugin or theme. The free one is without what is marked as premium, the premium one without
 * what is marked as free, and neither has the secret key of the product nor what a system packed beside its folder. The
 * SDK stays as it is, in which functions are named like premium code.
 */
export async function buildOf(archive: Archive, kind: Kind): Promise<Build> {
  const headers = await headersOf(archive)
  const isFree = kind === 'free'
  const own = ownEntries(archive)
  const left = own.filter(({ name }) => isFree && isPremiumFile(name, headers))
  const gone = new Set(left)
  const kept = own.filter((entry) => !gone.has(entry))
  const { changed, parts } = await changesOf(
    archive,
    kind,
    await textsAmong(
      archive,
      kept.filter((entry) => isRead(entry, headers)),
    ),
  )
  const { root } = headers
  const newRoot = isFree ? root.replace(/-premium\/$/, '/') : root
  const files = left.filter(({ isFolder }) => !isFolder).map(({ name }) => name)
  const isUpload = changed.size === 0 && kept.length === archive.entries.length && root === newRoot
  const nameOf = ({ name }: ArchiveEntry) => newRoot + name.slice(root.length)
  const bytes = isUpload ? null : zipBytes(written(archive, kind, { kept, changed, nameOf }))
  return { bytes, report: { files, parts } }
}

async function changesOf(archive: Archive, kind: Kind, texts: readonly ArchiveEntry[]) {
  const changed = new Set<ArchiveEntry>()
  const parts: Cut[] = []
  for (const entry of texts) {
    if (entry.size > MOST_TEXT) {
      await refuseMarked(archive, entry, kind)
      continue
    }
    const found = await strippedEntry(archive, entry, kind).catch((error: unknown) => {
      throw error instanceof ArchiveRefused ? new ArchiveRefused(`${error.message}: ${entry.name}`) : error
    })
    if (found.isChanged) changed.add(entry)
    if (parts.length + found.parts.length > MOST_CUTS) throw tooMany()
    parts.push(...found.parts.map((one) => ({ file: entry.name, ...one })))
  }
  return { changed, parts }
}

const MARKS: Readonly<Record<Kind, RegExp>> = {
  free: /__premium_only|fs_premium_only|fs_dynamic_init/i,
  premium: /fs_free_only_|fs_dynamic_init/i,
}
const LONGEST_MARK = 20

/** Reads what is too long to be cut, a piece at a time. */
async function refuseMarked(archive: Archive, entry: ArchiveEntry, kind: Kind): Promise<void> {
  let end = ''
  for await (const chunk of await archive.stream(entry)) {
    const text = end + (chunk as Buffer).toString('latin1')
    if (MARKS[kind].test(text))
      throw new ArchiveRefused(
        `has code that is marked as premium or free in a file of more than 4 MB: ${entry.name}`,
      )
    end = text.slice(-LONGEST_MARK)
  }
}

interface Plan {
  readonly kept: readonly ArchiveEntry[]
  readonly changed: ReadonlySet<ArchiveEntry>
  nameOf(entry: ArchiveEntry): string
}

/** What is changed is read once more, so that one file is held at a time. */
async function* written(
  archive: Archive,
  kind: Kind,
  { kept, changed, nameOf }: Plan,
): AsyncGenerator<Written, void, undefined> {
  for (const entry of kept) {
    const facts = { name: nameOf(entry), mode: entry.mode }
    if (changed.has(entry)) yield { ...facts, bytes: (await strippedEntry(archive, entry, kind)).bytes }
    else yield { ...facts, raw: await archive.raw(entry) }
  }
}

/** What nothing of is left out or kept is as it was. */
const MARKED = /__premium_only|fs_premium_only|fs_free_only_|fs_dynamic_init/i

/** Read as single bytes, so that what is no UTF-8 stays as it is. */
async function strippedEntry(archive: Archive, entry: ArchiveEntry, kind: Kind) {
  const bytes = await archive.read(entry)
  progress()
  if (!MARKED.test(bytes.toString('latin1'))) return { bytes, parts: [], isChanged: false }
  return strippedFile({ bytes, kind, isPhp: PHP.test(entry.name) })
}

const isRead = ({ name, isFolder }: ArchiveEntry, { ignored }: Headers) => !isFolder && !isIn(name, ignored)

async function textsAmong(archive: Archive, entries: readonly ArchiveEntry[]): Promise<ArchiveEntry[]> {
  const texts: ArchiveEntry[] = []
  for (const entry of entries) {
    progress()
    if (!(await archive.read(entry, FIRST_BYTES)).includes(0)) texts.push(entry)
  }
  return texts
}

interface Headers {
  /** Ends in a slash. */
  readonly root: string
  /** Paths that only the premium build has, in lower case, and that are left as they are: of files or folders. */
  readonly premium: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
}

const isPremiumFile = (name: string, { premium }: Headers) =>
  isIn(name.toLowerCase(), premium) ||
  name.split(/[/.]/).some((piece) => piece.toLowerCase().endsWith('__premium_only'))

/** `@fs_premium_only /lib/pro.php, /pro/` and `@fs_ignore` in the main file, from the folder of the plugin. */
async function headersOf(archive: Archive): Promise<Headers> {
  const root = rootOf(archive)
  const inRoot = ownEntries(archive).filter(
    ({ name, isFolder }) =>
      !isFolder && /\.(?:php|css)$/i.test(name) && !name.slice(root.length).includes('/'),
  )
  const lists = { premium: [] as string[], ignored: [] as string[] }
  const sdk = await sdkIn(archive)
  if (sdk && sdk.folder !== root && sdk.folder.startsWith(root)) lists.ignored.push(sdk.folder)
  for (const entry of inRoot) {
    const text = (await archive.read(entry, 8_192)).toString('utf8')
    for (const [, name, list = ''] of text.matchAll(/^[ \t/*#]*@fs_(premium_only|ignore)[ \t]+([^\n]+)$/gm)) {
      const written = list.replace(/\*\/.*/, '').split(',')
      const paths = written
        .map((path) => root + path.trim().replace(/^\/+/, ''))
        .filter((path) => path !== root)
      if (name === 'ignore') lists.ignored.push(...paths)
      else lists.premium.push(...paths.map((path) => path.toLowerCase()))
    }
    if (lists.premium.length + lists.ignored.length > MOST_PATHS)
      throw new ArchiveRefused(`names more than ${MOST_PATHS} paths that are for one build only`)
  }
  return { root, premium: new Set(lists.premium), ignored: new Set(lists.ignored) }
}
