import { DAY, fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'

/** So long after its last visit a cart is abandoned; so long nobody is mailed who was there again. */
const ABANDONED_MS = HOUR
/** From the first visit to the second mail. */
const SECOND_MAIL_MS = DAY
/** From one mail to the next, at least. */
const BETWEEN_MS = 23 * HOUR
/** From the second mail to the third. */
const THIRD_MAIL_MS = 3 * DAY
/** So late nobody has a use for a mail that should have come then. */
const STALE_MS = 30 * DAY

type Status =
  | 'pricing_visit'
  | 'visit'
  | 'abandoned'
  | 'email_1_sent'
  | 'email_2_sent'
  | 'email_3_sent'
  | 'completed'
  | 'recovered'
export type CartMail = 1 | 2 | 3

/** What recovery needs to know of a cart. */
export interface Recoverable {
  readonly status: Status
  readonly email: string
  /** Whether more was done than to type the address. */
  readonly went_on: boolean
  readonly is_disabled: boolean
  readonly is_unsubscribed: boolean
  readonly visited: UtcTime
  readonly last_visit: UtcTime
  readonly recover_at: UtcTime | null
}

export interface Stage {
  readonly status: Status
  readonly recover_at: UtcTime | null
  /** Which mail is to be sent; null: none. */
  readonly mail: CartMail | null
  /** Given: the cart waits for another visit. */
  readonly went_on?: false
}

const after = (time: UtcTime, ms: number) => toUtcTime(fromUtcTime(time) + ms)
const later = (a: UtcTime, b: UtcTime) => (a > b ? a : b)

/** What somebody has only typed is no buyer's address yet. */
const isWatched = ({ email, went_on }: Recoverable) => email !== '' && went_on
const isMailed = (cart: Recoverable) => !cart.is_disabled && !cart.is_unsubscribed

/** Whether a cart was not given up yet. */
export const isVisit = ({ status }: Pick<Recoverable, 'status'>) =>
  status === 'visit' || status === 'pricing_visit'

/**
 * When recovery looks at a cart next that was visited last at its `last_visit`: an hour later at the earliest; null
 * when there is nothing to do, or no address yet with which its buyer went on (`docs/interface.md` 10.2).
 */
export function afterVisit(cart: Recoverable): UtcTime | null {
  const quiet = after(cart.last_visit, ABANDONED_MS)
  if (isVisit(cart)) return isWatched(cart) ? quiet : null
  return cart.recover_at === null ? null : later(cart.recover_at, quiet)
}

/** When recovery looks at a cart next whose recovery is switched on again at `now`. */
export function afterReactivation(cart: Recoverable, now: UtcTime): UtcTime | null {
  if (isVisit(cart)) return afterVisit(cart)
  if (cart.status === 'email_3_sent') return null
  return cart.status === 'abandoned' ? now : after(now, ABANDONED_MS)
}

/** What becomes of a cart that is due at `now`. However late it is, one mail at a time is sent. */
export function nextStage(cart: Recoverable, now: UtcTime): Stage {
  const isStale = cart.recover_at !== null && after(cart.recover_at, STALE_MS) <= now
  return !isStale && isMailed(cart) ? nextMail(cart, now) : endOf(cart)
}

/** The end of the recovery of a cart to which no mail goes, or no more. */
export const endOf = (cart: Recoverable): Stage => ({
  status: isVisit(cart) ? 'abandoned' : cart.status,
  recover_at: null,
  mail: null,
})

/**
 * A cart whose buyer is paying stays as it is, and is looked at again: after a quarter of its age, an hour to a day.
 */
export function afterPaying({ status, last_visit }: Recoverable, now: UtcTime): Stage {
  const age = fromUtcTime(now) - fromUtcTime(last_visit)
  return { status, recover_at: after(now, Math.min(DAY, Math.max(ABANDONED_MS, age / 4))), mail: null }
}

/** What becomes of a cart whose buyer has just bought: it is neither mailed about nor told as left. */
export const LET_BE = {
  status: 'abandoned',
  recover_at: null,
  mail: null,
  went_on: false,
} as const satisfies Stage

/** Whether a cart is such a one, which another visit begins again. */
export const isLetBe = (cart: Pick<Recoverable, 'status' | 'went_on'>): boolean =>
  !isVisit(cart) && !cart.went_on

function nextMail({ status, visited }: Recoverable, now: UtcTime): Stage {
  switch (status) {
    case 'pricing_visit':
    case 'visit':
    case 'abandoned': {
      const second = later(after(visited, SECOND_MAIL_MS), after(now, BETWEEN_MS))
      return { status: 'email_1_sent', recover_at: second, mail: 1 }
    }
    case 'email_1_sent':
      return { status: 'email_2_sent', recover_at: after(now, THIRD_MAIL_MS), mail: 2 }
    case 'email_2_sent':
      return { status: 'email_3_sent', recover_at: null, mail: 3 }
    case 'email_3_sent':
    case 'completed':
    case 'recovered':
      return { status, recover_at: null, mail: null }
    default:
      return status satisfies never
  }
}
