import type { Context } from '../context.ts'
import { portalTokenOf } from '../http/portal-session.ts'
import type { Asked, WebOperation } from '../http/other-replies.ts'
import { pictureUrl } from '../lib/pictures.ts'
import { switchesOf } from '../access/portal-rows.ts'
import { hostsOf, presentLook } from '../people/portal/portal-looks.ts'
import { hostsOfVisit } from '../people/portal/portal-session.ts'
import { findOnlyStore, findPortalPlace, listLooks, type PortalPlace } from '../people/portal/portal-rows.ts'
import { appPage } from './app.ts'

/**
 * Where a buyer manages what was bought: it asks the interface with the cookie that a link has left. Who has none is
 * asked for the address, at the product or store that the page's own address names.
 */
export const portalPage: WebOperation = {
  reply: 'web',
  id: 'keywright/portal-page',
  paths: ['/portal', '/portal/', '/portal/*'],
  async handle(ctx, asked) {
    const { place, hosts } = await placeOf(ctx, asked)
    const carried = portalTokenOf(asked.headers.cookie, ctx)
    const data = { isIn: carried !== null, place }
    // Who is in sees what the visit opens, whatever place the address names.
    const embedHosts = carried ? await hostsOfVisit(ctx, carried.token) : hosts
    return appPage(ctx, { name: 'portal', title: place?.title ?? 'Keywright', data, embedHosts })
  },
}

const NOWHERE = { place: null, hosts: [] }

/** A server of one store alone needs no name of it. */
async function placeOf(ctx: Context, asked: Asked) {
  const place = namedIn(asked) ?? (await findOnlyStore(ctx.db))
  const found = place && (await findPortalPlace(ctx.db, place))
  if (!found) return NOWHERE
  const { title, icon } = found
  const rows = await listLooks(ctx.db, place)
  const switches = await switchesOf(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const supports = rows.map(({ id }) => switches.get(id)?.support ?? null)
  const look = presentLook(ctx, rows, supports)
  return { place: { ...idsOf(place), title, icon: pictureUrl(ctx, icon), look }, hosts: hostsOf(rows) }
}

const idsOf = (place: PortalPlace) =>
  'storeId' in place ? { store_id: String(place.storeId) } : { product_id: String(place.productId) }

function namedIn({ query }: Asked): PortalPlace | null {
  const productId = idIn(query['product_id'])
  if (productId !== null) return { productId }
  const storeId = idIn(query['store_id'])
  return storeId === null ? null : { storeId }
}

const idIn = (text: unknown): number | null =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
