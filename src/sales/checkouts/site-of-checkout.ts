import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken } from '../../lib/credentials.ts'
import { ApiError } from '../../lib/errors.ts'
import type { CheckoutOpen, CheckoutRow } from './schema.ts'
import { findUser } from '../../people/users/user-rows.ts'
import type { Bought, Settling } from './action.ts'
import { isUnprovenGift, userOf } from './buyer.ts'
import { buyerIn } from './sale.ts'
import { holdInstall, licenseIdOn } from '../../licensing/activation/license-on-install-rows.ts'
import { holdLicenses, putLicenseOn } from '../../licensing/activation/license-on-install.ts'
import { provenVisitor } from '../../licensing/proof/proven-user.ts'
import type { SoldProduct } from './queries.ts'
import { provenSite } from '../../licensing/activation/proven-site.ts'
import { findTrialOfBuyer } from '../../licensing/trials/trial-of-buyer-rows.ts'

/**
 * The install of the product that a checkout is opened from, by its proof for `checkout` (`docs/decisions.md` 3.23), and
 * who is its buyer: the user of a token, else the owner of that site where its keys reach the whole of the owner, or who
 * has proven the same by keys of its own.
 */
export async function openerOf(ctx: TxContext, scope: Scope, product: Sold, input: CheckoutOpen) {
  const { user_token: token, s_ctx_secure: proof = '' } = input
  const site = await provenSite(ctx, scope, input, 'checkout')
  const owner = site?.reach === 'whole' ? site.user_id : undefined
  const provenId = owner ?? (await provenVisitor(ctx, product, input, 'checkout'))
  const user =
    token === undefined ? await provenBuyer(ctx, scope, provenId, proof) : await userOf(ctx, scope, token)
  return { user, site: { install_id: site?.id ?? null } }
}

type Sold = Pick<SoldProduct, 'id' | 'parent_plugin_id'>

/** Who has proven to be a user of the product as the buyer who stays it; of the checkouts of one proof one is paid. */
async function provenBuyer(
  ctx: ReadContext,
  scope: Scope,
  provenId: number | undefined,
  proof: string,
): ReturnType<typeof userOf> {
  if (provenId === undefined) return {}
  const [user] = await findUser(ctx.db, scope, { id: provenId })
  if (!user) return {}
  const { id, email, first, last } = user
  return { user_id: id, email, first, last, is_readonly: true, buyer_token: hashToken(proof) }
}

/** The install that a checkout was opened from, held until the transaction ends; null: none, or it was erased since. */
export async function heldSiteOf(
  { db }: TxContext,
  { install_id: id }: Pick<CheckoutRow, 'install_id'>,
): Promise<number | null> {
  if (id === null) return null
  return (await holdInstall(db, id))?.id ?? null
}

/**
 * `heldSiteOf` what is bought, after the licenses that this may change, as everybody holds them before installs: the one
 * on the site, and that of the trial of its buyer. What is paid for a license is of the install that the license is on,
 * and so null here.
 */
export async function boundTo(ctx: TxContext, row: CheckoutRow): Promise<number | null> {
  const { of_license_id: ofLicense, install_id: id } = row
  if (ofLicense !== null || id === null) return null
  const tried = await findTrialOfBuyer(ctx.db, buyerIn(row))
  await holdLicenses(ctx, [await licenseIdOn(ctx.db, id), tried?.license_id ?? null])
  return heldSiteOf(ctx, row)
}

/**
 * Puts the license that was bought from a site on it, where the site is of who has it now and of its environment
 * (`docs/decisions.md` 3.23). What was got for nothing for an address that was only typed waits for its mailed key; where
 * the site may not have the license it is left off, as the purchase stands.
 */
export async function putOnSite(
  tx: TxContext,
  { scope, checkout, kept }: Pick<Settling, 'scope' | 'checkout' | 'kept'>,
  { license }: Bought,
): Promise<void> {
  const { install_id: id } = checkout
  if (id === null || license === null || isUnprovenGift(checkout, kept)) return
  const site = await holdInstall(tx.db, id)
  if (!site || site.user_id !== license.user_id || site.environment !== license.environment) return
  try {
    await putLicenseOn(tx, scope, { installId: id, licenseId: license.id })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    tx.log.warn(
      { license: license.id, install: id, code: error.code },
      'a site may not have what was bought from it',
    )
  }
}
