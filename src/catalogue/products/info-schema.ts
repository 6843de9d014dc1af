import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { ProductInfoTable } from '../../db/tables/products.ts'
import { Arguments, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'
import { isHttpUrl } from '../../lib/formats.ts'
import { pictureUrl } from '../../lib/pictures.ts'

/** The contract's `PluginInfo`: what an add-on market shows of a product. */
export const PluginInfo = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    plugin_id: IdText(),
    url: Type.String(),
    description: Type.String(),
    short_description: Type.String(),
    banner_url: Type.String(),
    card_banner_url: Type.String(),
    selling_point_0: Type.String(),
    selling_point_1: Type.String(),
    selling_point_2: Type.String(),
    screenshots: Type.Object({}, { description: 'Addresses under screenshot_0, screenshot_1, …' }),
    icon: Nullable(Type.String({ description: 'Address of the icon of the product.' })),
  },
  { title: 'PluginInfo' },
)
export type PluginInfo = Static<typeof PluginInfo>

const url = () => Optional(Text({ max: 2048, format: 'http-url-or-empty' }))
const line = (max: number) => Optional(Text({ max }))

const isScreenshot = ([name, address]: [string, unknown]) =>
  /^screenshot_(0|[1-9]\d?)$/.test(name) && typeof address === 'string' && isHttpUrl(address)

export const InfoUpdate = Arguments({
  url: url(),
  description: Optional(Text({ max: 20_000, format: 'text' })),
  short_description: line(500),
  banner_url: url(),
  card_banner_url: url(),
  selling_point_0: line(255),
  selling_point_1: line(255),
  selling_point_2: line(255),
  screenshots: Optional(
    Type.Refine(
      Type.Unsafe<Readonly<Record<string, string>>>(Type.Object({}, { maxProperties: 50 })),
      (screenshots) => Object.entries(screenshots).every(isScreenshot),
      () => 'must have http or https addresses under screenshot_0, screenshot_1, … only',
    ),
  ),
})
export type InfoUpdate = Static<typeof InfoUpdate>

export type InfoRow = Selectable<ProductInfoTable>

/** Row → wire; `icon` is the product's. */
export const presentInfo = (
  row: InfoRow,
  icon: string | null,
  ctx: Pick<ReadContext, 'baseUrl'>,
): PluginInfo => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  url: row.url,
  description: row.description,
  short_description: row.short_description,
  banner_url: row.banner_url,
  card_banner_url: row.card_banner_url,
  selling_point_0: row.selling_point_0,
  selling_point_1: row.selling_point_1,
  selling_point_2: row.selling_point_2,
  screenshots: JSON.parse(row.screenshots) as object,
  icon: pictureUrl(ctx, icon),
})
