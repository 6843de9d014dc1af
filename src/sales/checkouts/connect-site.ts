import type { Scope } from '../../access/scope.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { invalid, missingFields, notFound } from '../../lib/errors.ts'
import { countSites, type Counting } from '../../licensing/activation/sites-by-key.ts'
import type { InstallRow } from '../../licensing/installs/schema.ts'
import { getInstall } from '../../licensing/installs/service.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { connectBought } from '../../licensing/opt-in/connect-bought.ts'
import type { OptInOutcome } from '../../licensing/opt-in/outcome.ts'
import { refuseElsewhere } from '../../licensing/opt-in/site-form.ts'
import { getUser } from '../../people/users/service.ts'
import { getCheckout, scopeOfCheckout } from './checkout.ts'
import type { OwnedCheckout } from './queries.ts'
import { MAKES_LICENSE } from './show-checkout.ts'
import { isKeyMailedOnly } from './show-result.ts'
import type { CheckoutSite, SiteOfCheckout } from './site-schema.ts'

const NO_KEYS = { user: null, install: null, user_email: null, support_email_address: null } as const

interface Asked {
  readonly token: string
  readonly site: CheckoutSite
}

/**
 * Connects the site that a paid checkout was opened from with its buyer and license; a site that is connected already
 * learns so, and anybody may ask again: the same site stays the same install. 400 `checkout_not_paid`, 402 without
 * `site_uid`, 404 for a license that went to somebody else, and what `connectBought` refuses.
 */
export async function connectSite(
  ctx: TxContext,
  from: Scope,
  { token, site }: Asked,
): Promise<SiteOfCheckout> {
  const row = await getCheckout(ctx, token)
  if (row.state !== 'paid') throw invalid('checkout_not_paid', 'This checkout is not paid.')
  const scope = scopeOfCheckout(from, row)
  if (row.install_id !== null) {
    await refuseForward(ctx, scope, row.install_id, site)
    return { action: 'sync', ...NO_KEYS }
  }
  const { forward_url: forward, site_uid: uid } = site
  if (forward !== undefined) refuseElsewhere('forward_url', forward, site.site_url)
  if (!MAKES_LICENSE.has(row.action)) return { action: 'return_without_sync', ...NO_KEYS }
  if (uid === undefined) throw missingFields([{ field: 'site_uid', message: 'is required' }])
  const license = await licenseOf(ctx, scope, row)
  const user = await getUser(ctx, scope, license.user_id)
  const isKeyShown = !isKeyMailedOnly(row)
  const told = { ...site, site_uid: uid }
  const outcome = await connectBought(ctx, scope, { user, email: row.email, license, site: told, isKeyShown })
  return shown(ctx, outcome)
}

/** The license that was bought, while it is its buyer's. */
async function licenseOf(ctx: ReadContext, scope: Scope, row: OwnedCheckout) {
  const license = row.license_id === null ? null : await getLicense(ctx, scope, row.license_id)
  if (!license || license.user_id === null || license.user_id !== row.user_id) throw notFound('license')
  return { ...license, user_id: license.user_id }
}

async function refuseForward(
  ctx: ReadContext,
  scope: Scope,
  installId: number,
  { forward_url: forward }: CheckoutSite,
): Promise<void> {
  if (forward === undefined) return
  const { url } = await getInstall(ctx, scope, installId)
  refuseElsewhere('forward_url', forward, url, 'the install')
}

function shown(ctx: ReadContext, outcome: OptInOutcome): SiteOfCheckout {
  if (outcome.kind === 'pending') {
    const { email, supportEmail } = outcome
    return {
      ...NO_KEYS,
      action: 'pending_activation',
      user_email: email,
      support_email_address: supportEmail,
    }
  }
  const { user, pair, installs } = outcome.connected
  const [install] = installs
  return {
    ...NO_KEYS,
    action: 'install',
    user: { id: String(user.id), public_key: pair.user_public_key, secret_key: pair.user_secret_key },
    install: install ? keysOf(ctx, install) : null,
  }
}

const keysOf = ({ keys }: ReadContext, { id, public_key, secret_key }: InstallRow) => ({
  id: String(id),
  public_key,
  secret_key: keys.open(secret_key, 'installs.secret_key'),
})

/** Counts the site against the license, as where its key puts it on sites (`docs/decisions.md` 3.25). */
export async function countSite(
  ctx: ReadContext,
  from: Scope,
  { token, site, limits }: Asked & { readonly limits: Counting },
): Promise<void> {
  const row = await getCheckout(ctx, token)
  const { site_uid: uid, site_url: url } = site
  if (row.state !== 'paid' || row.license_id === null || uid === undefined) return
  const scope = scopeOfCheckout(from, row)
  const license = await getLicense(ctx, scope, row.license_id)
  await countSites(ctx, row.product_id, { license, sites: [{ uid, url }], limits })
}
