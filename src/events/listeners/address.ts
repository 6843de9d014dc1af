import { isSealed, type Keyring } from '../../lib/keyring.ts'
import type { WebhookRow } from './webhook.entity.ts'

/** Where the sealed addresses of listeners are kept: many have a secret in them. */
export const ADDRESS_PLACE = 'webhooks.url'

const ANSWER_PLACE = 'delivery_attempts.answer'

/** What a listener has answered, to be stored: it may repeat what it was sent, with the keys in it. */
export const sealAnswer = (keys: Keyring, answer: string): string => keys.seal(answer, ANSWER_PLACE)

/**
 * A stored answer as the listener gave it; null where there was none. An earlier process may still write some in clear.
 */
export const answerOf = ({ keys }: { readonly keys: Keyring }, answer: string | null): string | null =>
  answer !== null && isSealed(answer) ? keys.open(answer, ANSWER_PLACE) : answer

type Addressed = Pick<WebhookRow, 'url'>

/** Where a listener is told of events. */
export const addressOf = ({ keys }: { readonly keys: Keyring }, { url }: Addressed): string =>
  keys.open(url, ADDRESS_PLACE)

/** The address without what may be a secret, for mails: `https://hooks.example.com/…`. */
export function maskedAddressOf(ctx: { readonly keys: Keyring }, row: Addressed): string {
  const url = URL.parse(addressOf(ctx, row))
  if (!url) return '…'
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/…`
}
