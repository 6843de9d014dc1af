import type { Scope } from '../../access/scope.ts'
import type { TxContext } from '../../context.ts'
import { requireUid } from '../../lib/uid.ts'
import type { UserRow } from '../../people/users/schema.ts'
import { askToConfirm } from '../activation/pending-activations.ts'
import { customerOf } from '../licenses/customer.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { connectInstalls } from './connect-installs.ts'
import type { SiteForm } from './opt-in-schema.ts'
import { pendingAt, scopeOfClient, type OptInOutcome } from './outcome.ts'
import { connectionOf, refuseElsewhere } from './site-form.ts'

export interface BoughtFor {
  readonly user: Pick<UserRow, 'id' | 'email' | 'first' | 'last'>
  /** The address as the buyer typed it. */
  readonly email: string
  readonly license: Pick<LicenseRow, 'id' | 'environment'>
  /** What the site tells of itself, with its `site_uid`. */
  readonly site: SiteForm & { readonly site_uid: string }
  /** Whether who bought may have the key of the license: else the owner of the address is mailed a link. */
  readonly isKeyShown: boolean
}

/**
 * Connects a site with who has bought a license for it, as an opt-in that shows the key of the license
 * (`docs/decisions.md` 3.13, 3.23): the client gets keys of this site and license. What anybody could have had for the
 * address is connected by the link that is mailed to it. 400 for a `return_url` of another host, and as `connectInstalls`.
 */
export async function connectBought(
  ctx: TxContext,
  buyer: Scope,
  { user, email, license, site, isKeyShown }: BoughtFor,
): Promise<OptInOutcome> {
  const scope = scopeOfClient(buyer, buyer)
  const { return_url: returnUrl } = site
  if (returnUrl !== undefined) refuseElsewhere('return_url', returnUrl, site.site_url)
  requireUid(site.site_uid)
  const work = connectionOf(site, license, license.id)
  if (isKeyShown) {
    const customer = await customerOf(ctx, scope, user.id, work.isMarketingAllowed)
    const connected = await connectInstalls(ctx, scope, customer, { work, reach: 'own' })
    return { kind: 'connected', connected, connection: work }
  }
  await askToConfirm(ctx, scope, { user, email: user.email, work: { ...work, returnUrl: returnUrl ?? null } })
  return pendingAt(ctx, scope, email)
}
