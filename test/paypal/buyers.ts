import type { Gateway, SetUpOutcome, ChargeOutcome } from '../../src/gateways/gateway.ts'
import { named } from '../../src/gateways/paypal/names.ts'
import { BEHAVIOURS, type Books } from './books.ts'
import { approve } from './orders.ts'
import { approveSetUp } from './vault.ts'

/** Whose owners come back only when they are asked how it stands. */
const SLOW: ReadonlySet<string> = new Set(['wallet_confirmed', 'wallet_unconfirmed'])

/**
 * The gateway with owners of wallets behind it, by the names of `BEHAVIOURS` in the place of its token. They go to
 * PayPal as soon as they are led there, approve, and come back.
 */
export function withBuyers(gateway: Gateway, books: Books): Gateway {
  const tokenOf = (token: string, key: string): string => {
    const behaviour = BEHAVIOURS.get(token)
    if (behaviour) books.buyers.set(named(key), behaviour)
    return behaviour ? 'paypal' : token
  }
  const comeBack = (externalId: string): void => {
    approve(books, externalId)
    approveSetUp(books, externalId.replace(/^setup-/, ''))
  }
  async function followed<T extends ChargeOutcome | SetUpOutcome>(
    token: string,
    first: T,
    then: (externalId: string) => Promise<T | null>,
  ): Promise<T> {
    if (first.outcome !== 'pending' || SLOW.has(token)) return first
    return (await then(first.externalId)) ?? first
  }
  const retrieveCharge: Gateway['retrieveCharge'] = (externalId) => {
    comeBack(externalId)
    return gateway.retrieveCharge(externalId)
  }
  const retrieveSetUp: Gateway['retrieveSetUp'] = (externalId) => {
    comeBack(externalId)
    return gateway.retrieveSetUp(externalId)
  }
  return {
    ...gateway,
    retrieveCharge,
    retrieveSetUp,
    async charge(request) {
      const first = await gateway.charge({ ...request, token: tokenOf(request.token, request.key) })
      const then = async (id: string) => (await retrieveCharge(id))?.charge ?? null
      return followed<ChargeOutcome>(request.token, first, then)
    },
    async setUp(request) {
      const first = await gateway.setUp({ ...request, token: tokenOf(request.token, request.key) })
      return followed<SetUpOutcome>(request.token, first, retrieveSetUp)
    },
  }
}
