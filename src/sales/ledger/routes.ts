import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { PaymentId } from '../payments/schema.ts'
import { explainPayment } from './explain-payment.ts'
import { PaymentMoney } from './schema.ts'

/** Ours: the ledger, as far as it is of one payment. */
export const ledgerOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/explain-payment',
    summary: 'Tell what the money of a payment is made of, and its postings in the ledger',
    method: 'GET',
    path: '/payments/{payment_id}/money.json',
    scopes: ['product', 'developer', 'store'],
    access: 'sales.read',
    params: PaymentId,
    query: Arguments(Fields),
    status: 200,
    response: PaymentMoney,
    handle: (ctx, { scope, params }) => explainPayment(ctx, scope, params.payment_id),
  }),
]
