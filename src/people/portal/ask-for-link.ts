import { transaction, type Context, type TxContext } from '../../context.ts'
import { systemScope } from '../../access/scope.ts'
import { hasCome } from '../../db/has-come.ts'
import { hold } from '../../db/hold.ts'
import { fold } from '../../lib/fold.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { afterwards } from '../../work/afterwards.ts'
import { addressOf } from '../users/recipient.ts'
import { portalLink } from './portal-link.ts'
import { findPortalUser, lastPortalMail, type PortalPlace } from './portal-rows.ts'

/** So often a person is mailed a link for callers who prove nothing. */
const EVERY_MS = 10 * MINUTE
/** Mail may be late. */
const LASTS_MS = HOUR

interface Asked {
  readonly place: PortalPlace
  readonly email: string
  /** What is read; null: what the person's sites say. */
  readonly language: string | null
}

/**
 * Mails the user of an address a link into the portal, unless nobody has it there, or it was mailed one in the last ten
 * minutes. It is done behind the answer, which is the same for every address (`docs/security-checks.md` S12).
 */
export function askForPortalLink(ctx: Context, asked: Asked): void {
  const work = () => transaction(ctx, (tx) => mailLink(tx, asked))
  afterwards(ctx, work, 'a link into the portal could not be mailed')
}

async function mailLink(ctx: TxContext, { place, email, language }: Asked): Promise<void> {
  const user = await findPortalUser(ctx.db, place, fold(email.trim()))
  if (!user) return
  const scope = systemScope({ developerId: user.developer_id, productId: user.product_id })
  // Holds the person, so that callers at once take turns.
  await hold(ctx.db, 'users', scope, user.id)
  const last = await lastPortalMail(ctx.db, user.id)
  if (!hasCome(last + EVERY_MS, ctx.clock.real(), EVERY_MS)) return
  const { link } = portalLink(ctx, scope, { user, lastsMs: LASTS_MS, isEverywhere: true, isForOnce: true })
  const values = { link, minutes: LASTS_MS / MINUTE }
  await queueMail(ctx, { ...addressOf(scope, user), language, template: 'portal_link', values })
}
