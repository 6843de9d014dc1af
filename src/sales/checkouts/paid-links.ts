import type { ReadContext } from '../../context.ts'
import { BASE_PATH } from '../../http/mounts.ts'
import { notFound } from '../../lib/errors.ts'
import { issueToken, readToken } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { findOwnedCheckout, type OwnedCheckout } from './queries.ts'
import type { CheckoutRow } from './schema.ts'

/** What who has paid finds for a day: where it stands, and what its token is good for. */
export const PAID_LINKS = {
  resend: { path: '/checkout/licenses/resend.json', purpose: 'checkout.resend' },
  receipt: { path: '/checkout/receipt.pdf', purpose: 'checkout.receipt' },
} as const

type PaidLink = keyof typeof PAID_LINKS

const LASTS_MS = DAY

/** An address that names nothing but the checkout. */
export function paidLink(
  { keys, clock, baseUrl }: ReadContext,
  link: PaidLink,
  { id }: Pick<CheckoutRow, 'id'>,
): string {
  const { path, purpose } = PAID_LINKS[link]
  const claims = { checkout_id: String(id) }
  const token = issueToken(keys, { purpose, claims, now: clock.real(), lastsMs: LASTS_MS })
  return `${baseUrl}${BASE_PATH}${path}?token=${token}`
}

/** The checkout that a link names. 404 for a token that is wrong or older than a day. */
export async function checkoutOfLink(
  { db, keys, clock }: ReadContext,
  link: PaidLink,
  token: string,
): Promise<OwnedCheckout> {
  const { purpose } = PAID_LINKS[link]
  const claims = readToken(keys, token, { purpose, now: clock.real() })
  const row = claims ? await findOwnedCheckout(db, Number(claims['checkout_id'])) : undefined
  if (!row) throw notFound('link')
  return row
}
