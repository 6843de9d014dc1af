import type { ReadContext } from '../../context.ts'
import type { Owner } from '../../db/scoped.ts'
import type { PageContext } from '../../licensing/activation/proven-site.ts'
import { hasTried } from '../../licensing/trials/trial-rows.ts'
import { provenSite } from '../../licensing/activation/proven-site.ts'

/** Whether the install on which a pricing page is shown has had its trial; false where `provenSite` finds none. */
export async function isTriedSite(ctx: ReadContext, owner: Owner, context: PageContext): Promise<boolean> {
  const site = await provenSite(ctx, owner, context, 'upgrade')
  return site !== undefined && hasTried(ctx.db, owner, { ...site, isByKey: site.reach !== 'whole' })
}
