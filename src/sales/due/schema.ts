import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, IdText, Nullable, Paging, Time } from '../../http/wire.ts'

/** What falls due by itself. */
export const DUE = [
  'renewal',
  'renewal_reminder',
  'license_reminder',
  'license_end',
  'license_end_notice',
  'trial_reminder',
  'trial_end',
  'cart_recovery',
] as const

/** Something that waits in a sandbox for its clock. */
export const Due = Type.Object(
  {
    at: Time(),
    what: Choice(DUE),
    kind: Choice(['subscription', 'license', 'trial', 'cart']),
    id: IdText(),
    user_id: Nullable(IdText()),
  },
  { title: 'Due' },
)
export type Due = Static<typeof Due>

export const DueQuery = Arguments({ count: Paging.count, ...Fields })
