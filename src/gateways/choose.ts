import { invalid } from '../lib/errors.ts'
import type { Currency } from '../lib/money.ts'
import type { Offered } from '../lib/offered-settings.ts'
import type { Environment, Gateway } from './gateway.ts'

/** What a product is paid by: 0 both, 1 wallets, 2 cards. */
type Accepted = 0 | 1 | 2

interface Buyer {
  readonly currency: Currency
  /** In upper case; null: not known yet, which keeps nothing from being offered. */
  readonly country: string | null
}

/** Which gateway takes a payment: a payment, subscription or charge itself, for what it went through. */
interface Wanted {
  readonly environment: Environment
  /** The code of the one that is named; undefined: the first. */
  readonly gateway?: string | undefined
  /** What the product takes; absent: all. */
  readonly accepted?: Accepted
  /** Of a payment that is to be begun; absent: it was, and stays where it is. */
  readonly buyer?: Buyer
}

/** The gateway that takes a payment. 400 `gateway_not_configured` without (`docs/decisions.md` 5.11). */
export function gatewayFor(gateways: readonly Gateway[], wanted: Wanted): Gateway {
  const gateway = findGateway(gateways, wanted)
  if (gateway) return gateway
  throw invalid('gateway_not_configured', 'There is no payment gateway for this payment.')
}

/** As `gatewayFor`; undefined when it is not set up, or only for the other environment. */
export const findGateway = (gateways: readonly Gateway[], wanted: Wanted): Gateway | undefined =>
  takers(gateways, wanted)[0]

/**
 * Every gateway that takes a payment, first whom to ask first. One that moves no money stands in where no other would
 * take it, whomever that is offered to.
 */
export const takers = (
  gateways: readonly Gateway[],
  { environment, gateway: code, accepted = 0, buyer }: Wanted,
): readonly Gateway[] =>
  gateways
    .filter(
      (gateway) =>
        takes(gateway, environment) &&
        (code === undefined || gateway.code === code) &&
        (accepted === 0 || (gateway.isWallet ?? false) === (accepted === 1)),
    )
    .filter(({ byKey, offered }, at) => (at === 0 || byKey !== undefined) && isOffered(offered, buyer))

function isOffered({ currencies, countries }: Offered = {}, buyer: Buyer | undefined): boolean {
  if (!buyer) return true
  const { currency, country } = buyer
  const isTaken = !currencies || currencies.includes(currency)
  return isTaken && (!countries || country === null || countries.includes(country))
}

/** Whether live payments can be made by a wallet. */
export const hasWallet = ({ gateways }: { readonly gateways: readonly Gateway[] }): boolean =>
  gateways.some((gateway) => gateway.isWallet === true && takes(gateway, 0))

const takes = ({ environments }: Gateway, environment: Environment) => environments.includes(environment)
