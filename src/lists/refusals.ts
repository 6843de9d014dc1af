import type { Refusal } from '../lib/errors.ts'

/** What exports are the reason of. */
export const LISTS_REFUSALS = {
  too_many_exports: { status: 400, says: 'As many exports of the account wait as may.' },
} as const satisfies Readonly<Record<string, Refusal>>

type ListsRefusals = typeof LISTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends ListsRefusals {}
}
