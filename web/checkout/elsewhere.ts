import { Problem } from '../shared/call.ts'

/** Whether another window pays a checkout at this moment, or has paid it. */
export const isElsewhere = (problem: Problem | null): boolean =>
  problem?.code === 'checkout_in_progress' || problem?.code === 'checkout_closed'

/** Whether a payment came to nothing before, so that this one would have needed a method. */
export const lacksMethod = ({ details }: Problem): boolean =>
  details.some(({ field }) => field === 'payment_token')

export const notPaidElsewhere = ({ status }: Problem): Problem =>
  new Problem({ status, code: 'not_paid_elsewhere', message: '' })
