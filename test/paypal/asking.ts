import assert from 'node:assert/strict'
import type { ChargeRequest } from '../../src/gateways/gateway.ts'
import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { withBuyers } from './buyers.ts'
import { startPaypal, type Fault } from './server.ts'

/** A purchase of 118.80 by a wallet. */
export const asked = (token: string, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
  key: `purchase:${crypto.randomUUID()}`,
  amount: { minor: 11_880, currency: 'eur' },
  token,
  email: 'buyer@example.com',
  description: 'Example Pro',
  returnUrl: 'https://shop.example/back?session=1',
  isKept: false,
  ...more,
})

/** PayPal and the gateway that asks it, which tries twice: as it is (`bare`), and with buyers behind it. */
export async function startAsking() {
  const paypal = await startPaypal()
  const { books } = paypal
  const bare = paypalGateway(paypal.config, { timeoutMs: 10_000, retries: 1, pauseMs: 1 })
  const gateway = withBuyers(bare, books)
  async function paid(token = 'wallet_paid', more: Partial<ChargeRequest> = {}) {
    const answer = await gateway.charge(asked(token, more))
    if (answer.outcome !== 'paid') return assert.fail(answer.outcome)
    return answer
  }
  return {
    paypal,
    books,
    bare,
    gateway,
    paid,
    /** The token of a wallet that was stored. */
    stored: async (token: string) => (await paid(token, { isKept: true })).method?.token ?? '',
    later: (method: string, key = `renewal:${crypto.randomUUID()}`) =>
      gateway.chargeStored({
        key,
        method,
        amount: { minor: 900, currency: 'eur' },
        description: 'Example Pro',
      }),
    times: (count: number, fault: Fault) => paypal.faults.push(...Array<Fault>(count).fill(fault)),
    /** Nothing is set any more. */
    reset(): void {
      paypal.faults.length = 0
      paypal.asked.length = 0
      books.reports = ['*']
      books.isInvoiceOnce = true
    },
  }
}
