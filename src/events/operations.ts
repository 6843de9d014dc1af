import type { Operation } from '../http/other-replies.ts'
import { eventOperations } from './log/routes.ts'
import { streamOperations } from './stream/routes.ts'
import { webhookOperations } from './listeners/routes.ts'

/**
 * What happened, and who is told of it. Nouns: the event, which the log of a product or an account keeps; the listener
 * (`webhook` on the wire), with its deliveries and their attempts; the stream, which a reader follows. A product's
 * events are for its seller, by keys, tokens and the roles of its team; those of the account for the account.
 */
export const eventsOperations: readonly Operation[] = [
  ...eventOperations,
  ...streamOperations,
  ...webhookOperations,
]
