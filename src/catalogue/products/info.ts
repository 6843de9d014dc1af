import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { findInfo, putInfo } from './info-queries.ts'
import { presentInfo, type InfoUpdate, type PluginInfo } from './info-schema.ts'

/** What an add-on market shows of the product; 404 while nothing was written. */
export async function getInfo(ctx: ReadContext, scope: Scope): Promise<PluginInfo> {
  const [row] = await findInfo(ctx.db, scope, {})
  if (!row) throw notFound('information about the product')
  return presentInfo(row, row.icon, ctx)
}

const EMPTY = {
  url: '',
  description: '',
  short_description: '',
  banner_url: '',
  card_banner_url: '',
  selling_point_0: '',
  selling_point_1: '',
  selling_point_2: '',
  screenshots: '{}',
}

/** Writes what was given; what is left out stays. */
export async function updateInfo(ctx: TxContext, scope: Scope, input: InfoUpdate): Promise<PluginInfo> {
  const { screenshots, ...texts } = input
  const given = { ...texts, ...(screenshots && { screenshots: JSON.stringify(screenshots) }) }
  const now = ctx.clock.now()
  const row = { ...EMPTY, ...given, product_id: scope.productId, created: now, updated: null }
  await putInfo(ctx.db, row, { ...given, updated: now })
  return getInfo(ctx, scope)
}
