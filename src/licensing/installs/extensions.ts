import type { TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { isCleanText } from '../../lib/formats.ts'
import {
  deleteMarketItems,
  findMetadata,
  listMarketItems,
  upsertMarketItems,
  type NewMarketItem,
} from './part-queries.ts'

/** A plugin or theme of a site as its install tells of it. */
interface Extension {
  readonly slug: string
  readonly title: string
  readonly version: string
  readonly isActive: boolean
  readonly isUninstalled: boolean
}

/** What a body has under `plugins` and `themes`. */
export interface ToldExtensions {
  readonly plugins?: unknown
  readonly themes?: unknown
}

const MAX = 1_000
const MAX_TEXT = 255
/** So many plugins and themes count as much as a call. */
const AS_A_CALL = 50
const FIELDS = ['plugins', 'themes'] as const
const TYPES = { plugins: 'plugin', themes: 'theme' } as const

/** Says what is wrong with lists that cannot be read. */
export function addExtensionProblems(told: ToldExtensions, problems: Problems): void {
  for (const field of FIELDS) {
    if (problems.has(field) || told[field] === undefined || parse(told[field]) !== null) continue
    const message = 'must be a list of {slug, version, title, is_active}, or it as JSON text'
    problems.malformed.push({ field, message })
  }
}

/** As how many calls what is told counts, beside the one that tells it. */
export const weightOfExtensions = (told: ToldExtensions): number =>
  Math.floor(FIELDS.reduce((sum, field) => sum + (parse(told[field])?.length ?? 0), 0) / AS_A_CALL)

/**
 * Keeps what an install tells of the other plugins and themes of its site, unless its owner does not let it. One
 * that was uninstalled is forgotten; beyond a thousand of each, what is not known is left out. The install is held.
 */
export async function keepExtensions(ctx: TxContext, installId: number, told: ToldExtensions): Promise<void> {
  const lists = FIELDS.flatMap((field) => (told[field] === undefined ? [] : [field]))
  if (lists.length === 0) return
  const metadata = await findMetadata(ctx.db, installId)
  if (metadata?.permits_extensions === false) return
  const kept = await listMarketItems(ctx.db, installId)
  for (const field of lists) {
    const type = TYPES[field]
    const slugs = new Set(kept.filter((item) => item.type === type).map(({ slug }) => slug))
    // Of what is told of one twice the last word counts.
    const last = new Map(parse(told[field])?.map((extension) => [extension.slug, extension]))
    await keep(ctx, { installId, type, slugs }, [...last.values()])
  }
}

interface Kept {
  readonly installId: number
  readonly type: 'plugin' | 'theme'
  /** What is kept of this type. */
  readonly slugs: Set<string>
}

async function keep(
  ctx: TxContext,
  { installId, type, slugs }: Kept,
  extensions: readonly Extension[],
): Promise<void> {
  const gone = extensions.filter(({ isUninstalled }) => isUninstalled).map(({ slug }) => slug)
  if (gone.length > 0) await deleteMarketItems(ctx.db, installId, { type, slugs: gone })
  for (const slug of gone) slugs.delete(slug)
  const now = ctx.clock.now()
  const rows: NewMarketItem[] = []
  for (const { slug, title, version, isActive, isUninstalled } of extensions) {
    if (isUninstalled || (slugs.size >= MAX && !slugs.has(slug))) continue
    slugs.add(slug)
    const row = { install_id: installId, slug, type, title, version, is_active: isActive } as const
    rows.push({ ...row, created: now, updated: null })
  }
  await upsertMarketItems(ctx.db, rows, now)
}

/**
 * A list, an object by slug, or either as JSON text; null when it is none of these, or too long. What other
 * people's software says of itself is no reason to refuse what an install says: an entry without a slug is left out.
 */
function parse(value: unknown): Extension[] | null {
  const given = typeof value === 'string' ? fromJson(value) : value
  if (typeof given !== 'object' || given === null) return null
  const items: unknown[] = Object.values(given)
  return items.length <= MAX ? items.map(extensionOf).filter((item) => item !== null) : null
}

function fromJson(text: string): unknown {
  if (text.trim() === '') return []
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function extensionOf(value: unknown): Extension | null {
  if (typeof value !== 'object' || value === null) return null
  const { slug, title, version, is_active, is_uninstalled } = value as Readonly<Record<string, unknown>>
  if (typeof slug !== 'string' || slug === '' || slug.length > MAX_TEXT || !isCleanText(slug)) return null
  return {
    slug,
    title: clipped(title) ?? slug,
    version: clipped(version) ?? '',
    isActive: isTrue(is_active),
    isUninstalled: isTrue(is_uninstalled),
  }
}

/** As much of a text as is kept; null when it is none that may be shown. */
const clipped = (value: unknown): string | null =>
  typeof value === 'string' && isCleanText(value)
    ? value.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')
    : null

const isTrue = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'
