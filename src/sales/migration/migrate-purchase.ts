import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { PurchaseMigration } from '../../licensing/licenses/input-schema.ts'
import { issueLicense } from '../../licensing/licenses/service.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { getUser } from '../../people/users/service.ts'
import { termsOf, type OfferIds } from '../../licensing/licenses/create-license.ts'
import { recordPaidElsewhere } from '../subscriptions/subscriptions.ts'

/**
 * Brings a license along that a user bought elsewhere, with its key, quota and end, and what was paid for it
 * (`docs/interface.md` 5.9). Of an end in the past nobody is told, and with `is_migration` no event is recorded. 404
 * for a user, plan or price that the product has not, 400 for a key that is taken.
 */
export async function migratePurchase(
  ctx: TxContext,
  given: Scope,
  ids: OfferIds & { readonly user_id: number },
  input: PurchaseMigration,
): Promise<{ id: string | null; license_id: string; user_id: string }> {
  const scope: Scope = input.is_migration ? { ...given, isSilent: true } : given
  const { id: userId } = await getUser(ctx, scope, ids.user_id)
  const { license_quota: quota, license_key: key, license_expires_at: end, billing_cycle: cycle } = input
  const period = cycle === 1 ? 1 : cycle === 0 ? 0 : 12
  const terms = await termsOf(ctx, scope, ids, { period, ...(end !== undefined && { expires_at: end }) })
  const license = await issueLicense(ctx, scope, {
    ...terms,
    ...(quota !== undefined && { quota }),
    ...(key !== undefined && { key: key.trim() }),
    user_id: userId,
    source: SOURCES[input.source],
    is_brought: true,
  })
  const paid = await recordPaidElsewhere(ctx, scope, {
    licenseId: license.id,
    userId,
    cycle,
    gross: input.gross ?? 0,
    vat: input.vat ?? 0,
    processedAt: input.processed_at ?? undefined,
    externalId: input.payment_external_id,
    subscriptionExternalId: input.subscription_external_id,
    nextPayment: input.next_payment ?? undefined,
  })
  return {
    id: paid === null ? null : String(paid),
    license_id: String(license.id),
    user_id: String(userId),
  }
}
