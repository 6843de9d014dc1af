import { requireWhole } from '../../access/scope.ts'
import { generateUpgradeLink } from './generate-upgrade-link.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { LicenseId } from '../../licensing/licenses/schema.ts'
import { UpgradeLink, UpgradeLinkInput } from './upgrade-link-schema.ts'

/** Links to the checkout of a license. */
export const licenseLinkOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'licenses/generate-upgrade-link',
    summary: 'Make a link to the checkout for an upgrade, a renewal or another payment method',
    method: 'POST',
    path: '/licenses/{license_id}/checkout/link.json',
    scopes: ['product', 'developer', 'store', 'user'],
    access: 'tokens.write',
    portal: ({ body }) => [body.is_payment_method_update ? 'payment_method' : 'plan_change'],
    params: LicenseId,
    body: UpgradeLinkInput,
    status: 201,
    response: UpgradeLink,
    emits: [],
    refuses: [
      'account_verification_required',
      'license_cancelled',
      'license_error',
      'license_lifetime',
      'no_subscription',
      'product_not_sold',
    ],
    handle: async (ctx, { scope, params, body }) => {
      requireWhole(scope, 'A link to the checkout of a license')
      return generateUpgradeLink(ctx, scope, params.license_id, body)
    },
  }),
]
