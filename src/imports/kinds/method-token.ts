import { formOf, STORED_TOKENS } from '../../gateways/stored-tokens.ts'
import { refuses } from './column.ts'

type Said = Readonly<Record<string, unknown>>

/** A method whose token is as its gateway writes it, with the token as it is kept here. */
export function withToken(given: Said): Said {
  const { gateway, token } = given
  const kept = formOf(gateway)?.kept
  return kept && typeof token === 'string' ? { ...given, token: kept(token) } : given
}

/** What no gateway could charge. */
export const TOKEN_RULES = Object.entries(STORED_TOKENS).map(([name, { form, rule }]) =>
  refuses('token', 'wrong_form', rule, ({ gateway, token }) => gateway === name && !form.test(String(token))),
)
