import type { Refusal } from '../lib/errors.ts'

/** What listeners are the reason of. */
export const EVENTS_REFUSALS = {
  webhook_inactive: {
    status: 409,
    says: 'The listener is switched off.',
    help: 'Switch the listener on first.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type EventsRefusals = typeof EVENTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends EventsRefusals {}
}
