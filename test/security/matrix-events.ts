import { anybody, ELSEWHERE, SELLER, type Row } from './matrix-rows.ts'

/** What events mean, and who is told of them. */
export const OF_EVENTS: Readonly<Record<string, Row>> = {
  'keywright/list-event-types': { ...ELSEWHERE, root: [...anybody] },
  'keywright/list-webhooks': SELLER,
  'keywright/create-webhook': SELLER,
  'keywright/retrieve-webhook': SELLER,
  'keywright/update-webhook': SELLER,
  'keywright/delete-webhook': SELLER,
  'keywright/rotate-webhook-secret': SELLER,
  'keywright/list-deliveries': SELLER,
  'keywright/list-webhook-figures': SELLER,
  'keywright/list-webhook-deliveries': SELLER,
  'keywright/list-webhook-attempts': SELLER,
  'keywright/resend-events': SELLER,
  'keywright/test-webhook': SELLER,
}
