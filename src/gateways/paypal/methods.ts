import type { PaymentToken } from './api.ts'
import { STORED_TOKENS } from '../stored-tokens.ts'
import { found, type Paypal } from './client.ts'

/** The token of a method that PayPal stores for a customer of its own. */
export const tokenOfCustomer = (id: string): string => `customer ${id}`

/** PayPal's id of a stored method; null when there is none, or this is no token of one. */
export async function vaultIdOf(paypal: Paypal, token: string): Promise<string | null> {
  const [, kind, id = ''] = STORED_TOKENS.paypal.form.exec(token) ?? []
  if (kind === 'vault') return id
  return kind === 'customer' ? ((await methodOfCustomer(paypal, id))?.id ?? null) : null
}

/** What is stored for a customer, who is another one for each method; null: nothing. */
export async function methodOfCustomer(paypal: Paypal, id: string): Promise<PaymentToken | null> {
  const query = new URLSearchParams({ customer_id: id, page_size: '5', page: '1' })
  const listed = await found(
    paypal.get<{ readonly payment_tokens?: readonly PaymentToken[] }>(`/v3/vault/payment-tokens?${query}`),
  )
  return listed?.payment_tokens?.[0] ?? null
}
