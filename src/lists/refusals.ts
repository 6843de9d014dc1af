import type { Refusal } from '../lib/errors.ts'

/** What exports and actions on many rows are the reason of. */
export const LISTS_REFUSALS = {
  bulk_not_done: {
    status: 400,
    says: 'It is still under way, or was a dry run, which has nothing to try again.',
    help: 'Wait until it is done; after a dry run, start it without.',
  },
  export_under_way: {
    status: 400,
    says: 'All that the account has is being written to a file.',
    help: 'Wait until that is done or has failed.',
  },
  too_many_waiting: {
    status: 400,
    says: 'As many exports, or actions on many rows, of the account wait as may.',
    help: 'Wait until one of them is done.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type ListsRefusals = typeof LISTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends ListsRefusals {}
}
