import { transaction, type Context, type TxContext } from '../../context.ts'
import { CardNumberRefused, GatewayAway, GatewayRefused, type Declined } from '../../gateways/gateway.ts'
import { ApiError } from '../../lib/errors.ts'
import { forgetToken } from './charge-queries.ts'
import type { Asked } from '../checkouts/front/show.ts'
import { settleCheckout } from '../checkouts/front/settle.ts'

/** What keeps a gateway from being asked for a charge. */
export type Unasked = GatewayRefused | CardNumberRefused | (ApiError & { readonly cause: GatewayAway })

const isAway = (error: unknown): error is ApiError & { readonly cause: GatewayAway } =>
  error instanceof ApiError && error.cause instanceof GatewayAway

/**
 * Whether an error says that nothing was done for a charge, whoever asked for it before: `isFirst` when nobody can have.
 * What was asked for without an answer is not known to be undone because nobody may ask any more.
 */
export const isUnasked = (error: unknown, isFirst: boolean): error is Unasked =>
  error instanceof CardNumberRefused ||
  (isAway(error) && isFirst) ||
  (error instanceof GatewayRefused && (isFirst || error.isForGood))

/**
 * Lets go of a charge that its gateway never saw, and of all that was kept for it: the checkout is open again, its
 * coupon and the token of its buyer are free, and what stood in the place of a method of payment is forgotten.
 */
export async function letGoUnasked(
  ctx: Context,
  asked: Omit<Asked, 'outcome'>,
  error: Unasked,
): Promise<void> {
  const { charge } = asked
  if (error instanceof GatewayRefused)
    ctx.log.error({ err: error, charge: charge?.id }, 'the gateway refused to be asked; nothing was charged')
  if (isAway(error))
    ctx.log.warn({ err: error, charge: charge?.id }, 'the gateway did not answer; nothing was charged')
  await transaction(ctx, async (tx) => {
    await settleCheckout(tx, { ...asked, outcome: UNASKED })
    await forgetMethod(tx, asked)
  })
}

const UNASKED: Declined = {
  outcome: 'declined',
  externalId: null,
  reason: 'invalid_method',
  message: 'There is no such method of payment.',
}

async function forgetMethod(tx: TxContext, { scope, charge }: Omit<Asked, 'outcome'>): Promise<void> {
  if (charge) await forgetToken(tx.db, scope, charge.id)
}
