import { useQuery } from '@tanstack/react-query'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'

/** What was charged, with tax, in units of the currency; negative where money was given back. */
export const totalOf = ({ gross, vat }: Pick<Payment, 'gross' | 'vat'>): number => inCents(gross + vat)

/** Sums of decimals are no decimals of two digits by themselves. */
const inCents = (amount: number): number => Math.round(amount * 100) / 100

/** What is left of a payment of which so much was given back, with tax. */
export const leftOf = (payment: Pick<Payment, 'gross' | 'vat'>, returned: number): number =>
  inCents(totalOf(payment) - returned)

/** The most payments of a buyer that are looked through. */
const MOST = 50

/** What of a payment was given back or taken back, with tax; undefined while that is not known. */
export function useReturned({ id, user_id }: Pick<Payment, 'id' | 'user_id'>): number | undefined {
  const { path } = usePlace()
  const { data } = useQuery({
    queryKey: [`${path}/users/${user_id}/payments.json`, 'returned'],
    queryFn: () =>
      ask<{ payments: readonly Payment[] }>(`${path}/users/${user_id}/payments.json`, { count: MOST }),
  })
  const returns = data?.payments.filter(({ bound_payment_id: of, type }) => of === id && type !== 'payment')
  return returns && inCents(-returns.reduce((sum, one) => sum + Math.min(totalOf(one), 0), 0))
}
