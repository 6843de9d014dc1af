import type { ReadContext } from '../../context.ts'
import { Type, type Static } from '../../lib/type.ts'
import { Nullable } from '../../http/wire.ts'
import { pictureUrl } from '../../lib/pictures.ts'

const words = (description: string) =>
  Type.Object({ en: Nullable(Type.String()), de: Nullable(Type.String()) }, { description })

/** How the portal looks for a product, as its checkout does, and what it says there. */
export const PortalLook = Type.Object({
  accent: Nullable(Type.String({ description: '`#` and six digits.' })),
  logo_url: Nullable(Type.String({ description: 'In the place of the icon.' })),
  greeting: words('Plain text above everything else, by language.'),
  help: words('A line on where to turn to, by language.'),
  support_email: Nullable(Type.String()),
})
export type PortalLook = Static<typeof PortalLook>

/** What of a product says how its portal looks. */
export const LOOK_COLUMNS = [
  'products.id',
  'products.title',
  'products.icon',
  'products.checkout_accent',
  'products.checkout_logo_url',
  'products.portal_greeting_en',
  'products.portal_greeting_de',
  'products.portal_help_en',
  'products.portal_help_de',
] as const

interface LookRow {
  readonly checkout_accent: string | null
  readonly checkout_logo_url: string | null
  readonly portal_greeting_en: string | null
  readonly portal_greeting_de: string | null
  readonly portal_help_en: string | null
  readonly portal_help_de: string | null
}

/** Rows of products → how the portal looks, where they say the same; with the address that they share. */
export function presentLook(
  ctx: Pick<ReadContext, 'baseUrl'>,
  rows: readonly LookRow[],
  supports: readonly (string | null)[],
): PortalLook {
  const shared = (name: keyof LookRow) => sharedBy(rows.map((row) => row[name]))
  const by = (what: 'greeting' | 'help') => ({
    en: shared(`portal_${what}_en`),
    de: shared(`portal_${what}_de`),
  })
  return {
    accent: shared('checkout_accent'),
    logo_url: pictureUrl(ctx, shared('checkout_logo_url')),
    greeting: by('greeting'),
    help: by('help'),
    support_email: sharedBy(supports),
  }
}

/** What all of them are; null where they differ. */
function sharedBy(texts: readonly (string | null)[]): string | null {
  const [first = null, ...rest] = texts
  return rest.every((text) => text === first) ? first : null
}

/** Who may hold the portal of these products in a frame: whoever one of them names. */
export const hostsOf = (rows: readonly { readonly portal_embed_hosts: string }[]): readonly string[] => [
  ...new Set(rows.flatMap(({ portal_embed_hosts: text }) => JSON.parse(text) as string[])),
]
