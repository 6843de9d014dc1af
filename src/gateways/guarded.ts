import { hasCardNumber } from '../lib/card-number.ts'
import { CardNumberRefused, type Amount, type Gateway } from './gateway.ts'

/**
 * A gateway that is sent nothing it must not be sent. `CardNumberRefused` when a token is a card number
 * (`docs/decisions.md` 5.11); RangeError when an amount is not a whole number of at least 1.
 */
export function guarded(gateway: Gateway): Gateway {
  return {
    ...gateway,
    async charge(request) {
      check(request)
      return gateway.charge(request)
    },
    async setUp(request) {
      check({ token: request.token })
      return gateway.setUp(request)
    },
    async chargeStored(request) {
      check(request)
      return gateway.chargeStored(request)
    },
    async refund(request) {
      check(request)
      return gateway.refund(request)
    },
  }
}

function check({ token, amount }: { readonly token?: string; readonly amount?: Amount }): void {
  if (token !== undefined && hasCardNumber(token)) throw new CardNumberRefused()
  if (amount && !(Number.isSafeInteger(amount.minor) && amount.minor > 0))
    throw new RangeError('A gateway moves whole minor units, at least 1.')
}
