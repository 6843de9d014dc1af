import type { ReadContext, TxContext } from '../../context.ts'
import { sellingUnitOf } from '../../http/selling-unit.ts'
import { switchedForPerson, switchesOf } from '../../access/portal-rows.ts'
import type { Scope } from '../../access/scope.ts'
import { withHeaders } from '../../http/answer.ts'
import { findUserToken } from '../../http/access-token.ts'
import { csrfValue } from '../../http/csrf.ts'
import { noPortalCookie, visitEnded } from '../../http/portal-session.ts'
import { hashToken } from '../../lib/credentials.ts'
import { fromUtcTime, SECOND } from '../../lib/time.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import {
  deleteEntries,
  deleteEntry,
  findEntry,
  productsOfEntry,
  putLanguage,
} from './portal-session-queries.ts'
import { hostsOf, presentLook } from './portal-looks.ts'
import type { PortalSession, PutPortalLanguage } from './portal-session-schema.ts'

const NOTHING_OFF = { off: [], support: null }

/** Who is in the portal, for how long, and what of the seller they may see there. */
export async function getPortalSession(ctx: ReadContext, { actor }: Scope): Promise<PortalSession> {
  const entry = await findEntry(ctx.db, { id: actor.portalId ?? 0, userId: actor.id })
  if (!entry) throw visitEnded()
  const products = await productsOfEntry(ctx.db, entry)
  const ids = products.map(({ id }) => id)
  const switches = await switchesOf(ctx.db, ids)
  const person = { userId: entry.user_id, developerId: entry.developer_id }
  return {
    user: {
      id: String(entry.user_id),
      email: entry.email,
      first: entry.first,
      last: entry.last,
      language: entry.language,
    },
    products: products.map(({ type, ...row }) => {
      const { off, support } = switches.get(row.id) ?? NOTHING_OFF
      const { id, title, icon } = row
      const look = presentLook(ctx, [row], [support])
      return {
        id: String(id),
        title,
        icon: pictureUrl(ctx, icon),
        type,
        selling_unit_label: sellingUnitOf(row),
        off: [...off],
        look,
      }
    }),
    off: [...(await switchedForPerson(ctx.db, person))],
    is_view_only: entry.person_id !== null,
    expires: Math.max(0, Math.ceil((fromUtcTime(entry.expires_at) - ctx.clock.real()) / SECOND)),
    csrf_token: csrfValue(ctx, 'portal', entry.token_hash),
  }
}

/** What the user is written and shown from now on, by every product of the seller. */
export async function putPortalLanguage(ctx: TxContext, { actor }: Scope, { language }: PutPortalLanguage) {
  await putLanguage(ctx.db, actor.id, language)
}

/** Ends the visit, or all of the user at this seller with every access token of theirs; the browser forgets its cookie. */
export async function leavePortal(
  ctx: TxContext,
  { actor }: Scope,
  { everywhere }: { readonly everywhere?: boolean },
) {
  const entry = everywhere ? await findEntry(ctx.db, { id: actor.portalId ?? 0, userId: actor.id }) : null
  // Who only looks ends nothing of the user's.
  if (entry && entry.person_id === null) await deleteEntries(ctx.db, actor.id)
  else await deleteEntry(ctx.db, { id: actor.portalId ?? 0, userId: actor.id })
  return withHeaders(undefined, { 'set-cookie': noPortalCookie(ctx, { actor }) })
}

/** Who may hold the portal in a frame for a visit: whom a product that it opens names; nobody once it is over. */
export async function hostsOfVisit(ctx: ReadContext, token: string): Promise<readonly string[]> {
  const found = await findUserToken(ctx, hashToken(token))
  const entry = found && (await findEntry(ctx.db, { id: found.id, userId: found.user_id }))
  return entry ? hostsOf(await productsOfEntry(ctx.db, entry)) : []
}
