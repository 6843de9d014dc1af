import { asToken, isToken } from '../../gateways/paypal/methods.ts'
import { readStored } from '../../gateways/stripe/methods.ts'
import { refuses } from './column.ts'

type Said = Readonly<Record<string, unknown>>

/** A method whose token is the bare id that PayPal's vault has for it, as it is kept. */
export function withToken(given: Said): Said {
  const { gateway, token } = given
  return gateway === 'paypal' && typeof token === 'string' ? { ...given, token: asToken(token) } : given
}

const isOf = ({ gateway }: Said, code: string) => gateway === code
const tokenOf = ({ token }: Said) => String(token)

/** What no gateway could charge. */
export const TOKEN_RULES = [
  refuses(
    'token',
    'wrong_form',
    'must be customer, method and type at Stripe: cus_… pm_… card',
    (row) => isOf(row, 'stripe') && readStored(tokenOf(row)) === null,
  ),
  refuses(
    'token',
    'wrong_form',
    "must be the id that PayPal's vault has for the method, with vault before it or alone",
    (row) => isOf(row, 'paypal') && !isToken(tokenOf(row)),
  ),
]
