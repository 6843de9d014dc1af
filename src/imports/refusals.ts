import type { Refusal } from '../lib/errors.ts'

/** What imports are the reason of. */
export const IMPORTS_REFUSALS = {
  import_not_possible: {
    status: 400,
    says: 'The import is not in a state in which that can be done.',
    help: 'Look at its state: one that was looked at can be started, one in hand canceled, one that has brought rows undone.',
  },
  import_under_way: {
    status: 400,
    says: 'Another import of the account is under way, or waits to be started.',
    help: 'Wait until it is done, or start or cancel it.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type ImportsRefusals = typeof IMPORTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends ImportsRefusals {}
}
