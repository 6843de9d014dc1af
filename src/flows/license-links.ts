import type { ReadContext } from '../context.ts'
import { checkoutAddress } from '../lib/checkout-address.ts'
import { issueToken } from '../lib/signed-token.ts'
import { DAY } from '../lib/time.ts'
import type { LicenseRow } from '../resources/licenses/schema.ts'

/** From the first mail before a license ends until a month after its end. */
const MAILED_MS = 60 * DAY

type Linked = Pick<LicenseRow, 'id' | 'product_id' | 'plan_id'>

interface Authorized {
  readonly license: Pick<Linked, 'id' | 'product_id'>
  /** What the link was made for. */
  readonly wanted: Readonly<Record<string, string | boolean>>
  readonly lastsMs: number
}

/** What opens the checkout of a license to whoever has the link (`spec/behaviour/auth.md` 7). */
export function licenseAuthorization(
  { keys, clock }: ReadContext,
  { license, wanted, lastsMs }: Authorized,
): string {
  const claims = { license_id: String(license.id), plugin_id: String(license.product_id), ...wanted }
  return issueToken(keys, { purpose: 'checkout.license', claims, now: clock.real(), lastsMs })
}

/** The address at which a license is renewed by hand, for a mail to its owner. */
export const renewalLink = (ctx: ReadContext, license: Linked): string => mailedLink(ctx, license, false)

interface Renewed extends Omit<Linked, 'id'> {
  readonly license_id: number | null
}

/** The address at which its buyer pays a subscription in another way, and what is owed of it; empty without license. */
export const paymentMethodLink = (ctx: ReadContext, { license_id: id, ...of }: Renewed): string =>
  id === null ? '' : mailedLink(ctx, { ...of, id }, true)

function mailedLink(ctx: ReadContext, license: Linked, isMethod: boolean): string {
  const { id, product_id: productId, plan_id: planId } = license
  const wanted = { is_payment_method_update: isMethod }
  const options = {
    license_id: String(id),
    authorization: licenseAuthorization(ctx, { license, wanted, lastsMs: MAILED_MS }),
    ...(isMethod && { is_payment_method_update: '1' }),
  }
  return checkoutAddress({ baseUrl: ctx.baseUrl, productId, planId }, options)
}
