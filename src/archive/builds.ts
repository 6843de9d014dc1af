import type { Archive, ArchiveEntry } from './archive.ts'
import { withoutPremiumCode, withoutSections, type Part } from './premium-code.ts'
import { ArchiveRefused } from './safety.ts'
import { readmeEntry, rootOf } from './wordpress.ts'
import { zipBytes, type Written } from './zip-writer.ts'

/** What a build leaves out of what was uploaded. */
export interface BuildReport {
  readonly files: readonly string[]
  readonly parts: readonly Cut[]
}

interface Cut {
  readonly file: string
  readonly part: Part
  readonly line: number
}

export interface Build {
  /** The same for the same upload, byte for byte. */
  readonly bytes: AsyncIterable<Buffer>
  readonly report: BuildReport
}

const TEXTS = /\.(?:php|inc|js|mjs|cjs|jsx|ts|tsx|css|scss|less|html?|txt|md|json|xml|svg|pot?)$/i
/** Longer ones are no code of hands, and stay as they are. */
const MOST_TEXT = 4 * 1024 * 1024

type Kind = 'free' | 'premium'

/** Whether the SDK removes what the plugin leaves behind, which its own file would keep it from. */
export function refuseUninstall({ entries }: Pick<Archive, 'entries'>, root: string): void {
  if (entries.some(({ name }) => name.toLowerCase() === `${root}uninstall.php`.toLowerCase()))
    throw new ArchiveRefused('has an uninstall.php, in whose place the SDK has an action after_uninstall')
}

/** Whether a free build can be made: it has a readme in its folder. */
export const hasReadme = (archive: Pick<Archive, 'entries'>): boolean =>
  readmeEntry(archive, rootOf(archive)) !== undefined

/**
 * A build of a WordPress plugin or theme; null where it is what was uploaded. The free one is without what is marked as
 * premium, the premium one without what is marked as free, and neither has the secret key of the product.
 */
export async function buildOf(archive: Archive, kind: Kind): Promise<Build | null> {
  const headers = await headersOf(archive)
  const isFree = kind === 'free'
  const left = archive.entries.filter(({ name }) => isFree && isPremiumFile(name, headers))
  const gone = new Set(left)
  const kept = archive.entries.filter((entry) => !gone.has(entry))
  const read = kept.filter((entry) => isText(entry) && !isIn(entry.name, headers.ignored))
  const changed = new Set<ArchiveEntry>()
  const parts: Cut[] = []
  for (const entry of read) {
    const found = await strippedFile(archive, entry, kind)
    if (found.isChanged) changed.add(entry)
    parts.push(...found.parts.map((one) => ({ file: entry.name, ...one })))
  }
  const { root } = headers
  const newRoot = isFree ? root.replace(/-premium\/$/, '/') : root
  if (changed.size === 0 && gone.size === 0 && root === newRoot) return null
  const files = left.filter(({ isFolder }) => !isFolder).map(({ name }) => name)
  const nameOf = ({ name }: ArchiveEntry) => newRoot + name.slice(root.length)
  return { bytes: zipBytes(written(archive, kind, { kept, changed, nameOf })), report: { files, parts } }
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
    if (changed.has(entry)) yield { ...facts, bytes: (await strippedFile(archive, entry, kind)).bytes }
    else yield { ...facts, raw: await archive.raw(entry) }
  }
}

/** Read as single bytes, so that what is no UTF-8 stays as it is. */
async function strippedFile(archive: Archive, entry: ArchiveEntry, kind: Kind) {
  const before = (await archive.read(entry)).toString('latin1')
  const { text, parts } = stripped(before, kind, entry.name.endsWith('.php'))
  return { bytes: Buffer.from(text, 'latin1'), parts, isChanged: text !== before }
}

function stripped(text: string, kind: Kind, isPhp: boolean) {
  const sections = withoutSections(text, kind === 'free' ? 'premium' : 'free')
  const isCode = isPhp && kind === 'free' && sections.text.includes('__premium_only')
  const code = isCode ? withoutPremiumCode(sections.text) : { text: sections.text, parts: [] }
  const parts = [...sections.parts, ...code.parts]
  return { text: isPhp ? withoutKeys(code.text, kind) : code.text, parts }
}

/** The SDK's settings: never the secret key, and the free build says that it is one. */
function withoutKeys(text: string, kind: Kind): string {
  if (!text.includes('fs_dynamic_init')) return text
  const open = text
    .replaceAll(/^[ \t]*(['"])secret_key\1\s*=>\s*(['"])[^'"\n]*\2\s*,?[ \t]*\r?\n/gm, '')
    .replaceAll(/(['"])secret_key\1\s*=>\s*(['"])[^'"\n]*\2\s*,?/g, '')
  if (kind === 'premium') return open
  return open
    .replaceAll(/((['"])is_premium\2\s*=>\s*)true\b/gi, '$1false')
    .replaceAll(/^[ \t/*]*@fs_premium_only\b[^\n]*\n/gm, '')
}

const isText = ({ name, isFolder, size }: ArchiveEntry) => !isFolder && TEXTS.test(name) && size <= MOST_TEXT

interface Headers {
  /** Ends in a slash. */
  readonly root: string
  /** Paths that only the premium build has, and that are left as they are; folders end in a slash. */
  readonly premium: readonly string[]
  readonly ignored: readonly string[]
}

const isPremiumFile = (name: string, { premium }: Headers) =>
  isIn(name, premium) || name.split('/').some((segment) => /__premium_only(?:\.[^/]*)?$/.test(segment))

const isIn = (name: string, paths: readonly string[]) =>
  paths.some((path) => name === path || (path.endsWith('/') && name.startsWith(path)))

/** `@fs_premium_only /lib/pro.php, /pro/` and `@fs_ignore` in the main file, from the folder of the plugin. */
async function headersOf(archive: Archive): Promise<Headers> {
  const root = rootOf(archive)
  const inRoot = archive.entries.filter(
    ({ name, isFolder, size }) =>
      !isFolder && /\.(?:php|css)$/.test(name) && !name.slice(root.length).includes('/') && size <= MOST_TEXT,
  )
  const lists = { premium: [] as string[], ignored: [] as string[] }
  for (const entry of inRoot) {
    const text = (await archive.read(entry, 8_192)).toString('utf8')
    for (const [, name, list = ''] of text.matchAll(/^[ \t/*#]*@fs_(premium_only|ignore)[ \t]+([^\n]+)$/gm)) {
      const paths = list.split(',').map((path) => root + path.trim().replace(/^\/+/, ''))
      lists[name === 'ignore' ? 'ignored' : 'premium'].push(...paths.filter((path) => path !== root))
    }
  }
  return { root, ...lists }
}
