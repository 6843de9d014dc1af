import type { Keyring } from '../../lib/keyring.ts'
import type { WebhookRow } from './schema.ts'

/** Where the sealed addresses of listeners are kept: many have a secret in them. */
export const ADDRESS_PLACE = 'webhooks.url'

type Addressed = Pick<WebhookRow, 'url'>

/** Where a listener is told of events. */
export const addressOf = ({ keys }: { readonly keys: Keyring }, { url }: Addressed): string =>
  keys.open(url, ADDRESS_PLACE)

/** The same without what may be a secret, for mails: `https://hooks.example.com/…`. */
export function maskedAddressOf(ctx: { readonly keys: Keyring }, row: Addressed): string {
  const url = URL.parse(addressOf(ctx, row))
  if (!url) return '…'
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/…`
}
