import { Type } from '../../lib/type.ts'
import {
  paymentsOfAccount,
  paymentsOfInstall,
  paymentsOfProduct,
  paymentsOfUser,
  totalOfPayments,
} from './list-payments.ts'
import { leaveLease } from '../charges/left-lease.ts'
import { beginRefund, settleRefund } from '../refunds/refund-payment.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { Refused } from '../../lib/errors.ts'
import { InstallId } from '../../licensing/installs/schema.ts'
import { UserId } from '../../people/users/schema.ts'
import {
  AccountPaymentList,
  Discount,
  ExtendedPayment,
  InstallPaymentList,
  Payment,
  PaymentId,
  PaymentList,
  presentPayment,
  RefundCreate,
  UserPaymentList,
} from './schema.ts'
import { checkPaymentList, getPayment } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

const Listed = Type.Object({ payments: Type.Array(ExtendedPayment), discounts: Type.Array(Discount) })

export const paymentOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'payments/list',
    summary: 'List the payments of a product, newest first',
    method: 'GET',
    path: '/payments.json',
    scopes,
    access: 'sales.read',
    query: PaymentList,
    status: 200,
    response: Listed,
    items: 'payments',
    total: (ctx, { scope, query }) => totalOfPayments(ctx, scope, query),
    check: (_, { query }, problems) => checkPaymentList(query, problems),
    handle: (ctx, { scope, query }) => paymentsOfProduct(ctx, scope, query),
  }),
  readOperation({
    id: 'keywright/list-account-payments',
    summary: 'List the payments of all products of an account, newest first',
    method: 'GET',
    path: '/payments.json',
    scopes: ['account'],
    access: 'sales.read',
    isForNarrowed: true,
    query: AccountPaymentList,
    status: 200,
    response: Listed,
    items: 'payments',
    check: (_, { query }, problems) => checkPaymentList(query, problems),
    handle: (ctx, { scope, query }) => paymentsOfAccount(ctx, scope, query),
  }),
  readOperation({
    id: 'payments/retrieve',
    summary: 'Retrieve a payment',
    method: 'GET',
    path: '/payments/{payment_id}.json',
    scopes: [...scopes, 'user'],
    access: 'sales.read',
    params: PaymentId,
    query: Arguments(Fields),
    status: 200,
    response: Payment,
    handle: async (ctx, { scope, params }) =>
      presentPayment(await getPayment(ctx, scope, params.payment_id), scope),
  }),
  readOperation({
    id: 'users/list-payments',
    summary: 'List the payments of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/payments.json',
    scopes: [...scopes, 'user'],
    access: 'sales.read',
    params: UserId,
    query: UserPaymentList,
    status: 200,
    response: Listed,
    items: 'payments',
    handle: (ctx, { scope, params, query }) => paymentsOfUser(ctx, scope, params.user_id, query),
  }),
  readOperation({
    id: 'installations/list-payments',
    summary: 'List the payments for the license that is active on an install, newest first',
    method: 'GET',
    path: '/installs/{install_id}/payments.json',
    scopes: [...scopes, 'user', 'install'],
    access: 'sales.read',
    params: InstallId,
    query: InstallPaymentList,
    status: 200,
    response: Type.Object({ payments: Type.Array(ExtendedPayment) }),
    items: 'payments',
    handle: (ctx, { scope, params, query }) => paymentsOfInstall(ctx, scope, params.install_id, query),
  }),
  writeOperation({
    id: 'keywright/refund-payment',
    summary: 'Give back a payment, or a part of it',
    method: 'POST',
    path: '/payments/{payment_id}/refunds.json',
    scopes: ['developer'],
    access: 'refunds.write',
    params: PaymentId,
    query: Arguments(Fields),
    body: RefundCreate,
    status: 201,
    response: Payment,
    emits: ['payment.refund', 'license.cancelled', 'subscription.cancelled'],
    refuses: [
      'gateway_not_configured',
      'gateway_unreachable',
      'invalid_refund_amount',
      'payment_not_refundable',
      'refund_exceeds_payment',
      'refund_refused',
    ],
    prepare: (ctx, { scope, params, body }) => beginRefund(ctx, scope, params.payment_id, body),
    async handle(ctx, { scope, params, body }, begun) {
      const refund = await settleRefund(ctx, scope, { id: params.payment_id, input: body, begun })
      return refund instanceof Refused ? refund : presentPayment(refund, scope)
    },
    letGo(ctx, begun) {
      if (begun) leaveLease(ctx, { scope: begun.scope, taken: begun.charge })
    },
  }),
]
