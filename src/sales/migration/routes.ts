import { Type } from '../../lib/type.ts'
import { PricingId } from '../../catalogue/plans/pricing-schema.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields, IdText, Nullable } from '../../http/wire.ts'
import { PurchaseMigration } from '../../licensing/licenses/input-schema.ts'
import { UserId } from '../../people/users/schema.ts'
import { migratePurchase } from './migrate-purchase.ts'

/** What brings along what was bought elsewhere. */
export const migrationOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/migrate-license',
    summary: 'Bring a license along that a user bought elsewhere',
    method: 'POST',
    path: '/users/{user_id}/plans/{plan_id}/pricing/{pricing_id}.json',
    scopes: ['product', 'developer', 'store'],
    isOfClients: true,
    access: ['licenses.write', 'sales.write'],
    params: Type.Object({ ...UserId.properties, ...PricingId.properties }),
    query: Arguments(Fields),
    body: PurchaseMigration,
    status: 200,
    response: Type.Object({ id: Nullable(IdText()), license_id: IdText(), user_id: IdText() }),
    emits: ['license.created', 'payment.created', 'plan.lifetime.purchase', 'subscription.created'],
    refuses: ['license_key_taken', 'payment_external_id_taken', 'subscription_active'],
    handle: (ctx, { scope, params, body }) => migratePurchase(ctx, scope, params, body),
  }),
]
