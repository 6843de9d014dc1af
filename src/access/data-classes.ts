import { holds, isBelowAccount, type Limited } from './rights.ts'
import { ROLES, type Access, type Role } from './roles.ts'

export interface DataClass {
  /** What it is, for the document. */
  readonly what: string
  /** The right that a role needs to see it. */
  readonly needs: Access
  /** The names under which it stands, in replies, in events and in what belongs to them. */
  readonly fields: readonly string[]
  /** Names that are of it where one of those stands beside them: elsewhere they count something else. */
  readonly beside?: readonly string[]
}

/**
 * Data that not every role may see (`docs/decisions.md` 3.15). It is left out wherever it stands: in replies, events
 * with their objects, the stream, and what a listener is sent that such a role has set up. A license key lets its
 * holder activate and deactivate, so it is for who may write licenses.
 */
export const DATA_CLASSES = {
  'license keys': {
    what: 'Keys of licenses',
    needs: 'licenses.write',
    fields: ['secret_key', 'license_key'],
  },
  sales: {
    what: 'Payments and subscriptions that belong to an event, every amount that a customer paid or will pay, how many payments and subscriptions there are, and how they fare',
    needs: 'sales.read',
    fields: [
      'payment',
      'subscription',
      'card',
      'gross',
      'net',
      'vat',
      'tax',
      'fees',
      'gateway_fee',
      'amount',
      'price',
      'total_gross',
      'amount_per_cycle',
      'initial_amount',
      'renewal_amount',
      'renewals_discount',
      'outstanding_balance',
      'subscription_total_gross',
      'subscription_initial_amount',
      'subscription_failed_payments',
      'subscription_gateway',
      'total_purchases',
      'total_renewals',
      'total_subscriptions',
      'total_failed_purchases',
      'earnings',
      'last_cycle_earnings',
    ],
    beside: ['total'],
  },
  'e-mail addresses': {
    what: 'E-mail addresses of customers',
    needs: 'customers.read',
    fields: ['email', 'user_email'],
  },
} as const satisfies Record<string, DataClass>

export type DataClassName = keyof typeof DATA_CLASSES
const NAMES = Object.keys(DATA_CLASSES) as DataClassName[]

/** What a role may not see. */
export const hiddenFromRole = (role: Role): readonly DataClassName[] => hiddenBy({ role })

const hiddenBy = (limited: Limited): readonly DataClassName[] =>
  NAMES.filter((name) => !holds(limited, DATA_CLASSES[name].needs))

/** Whoever has a role acts by a session or an access token; whoever has rights, by a token of the account. */
interface Caller {
  readonly actor: Limited
}

const HIDDEN = new Map(ROLES.map((role) => [role, hiddenFromRole(role)]))
const NOTHING: readonly DataClassName[] = []

/**
 * What the caller may not see: nothing without a role and without a token that is narrowed to some rights.
 */
export const hiddenFrom = ({ actor }: Caller): readonly DataClassName[] => {
  if (actor.rights !== undefined) return hiddenBy(actor)
  return actor.role === undefined ? NOTHING : (HIDDEN.get(actor.role) ?? NOTHING)
}

/** Whether the caller may not see something of what is hidden from nobody else. */
export const seesLess = (scope: Caller, hides: readonly DataClassName[]): boolean =>
  hiddenFrom(scope).some((name) => !hides.includes(name))

/** JSON without the fields of these classes, at any depth. */
export function withoutHidden(value: unknown, hides: readonly DataClassName[]): unknown {
  if (hides.length === 0) return value
  const classes: readonly DataClass[] = hides.map((name) => DATA_CLASSES[name])
  return without(value, {
    fields: new Set(classes.flatMap(({ fields }) => fields)),
    beside: new Set(classes.flatMap(({ beside = [] }) => beside)),
  })
}

type Hidden = Readonly<Record<'fields' | 'beside', ReadonlySet<string>>>

function without(value: unknown, hidden: Hidden): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => without(item, hidden))
  const shown = Object.entries(value).filter(([name]) => !hidden.fields.has(name))
  const isBeside = shown.length < Object.keys(value).length
  return Object.fromEntries(
    shown.flatMap(([name, inner]) =>
      isBeside && hidden.beside.has(name) ? [] : [[name, without(inner, hidden)]],
    ),
  )
}

/** All that can be hidden from somebody from whom no more is hidden than from the caller, each as it is stored. */
export function hidingAsMuch(scope: Caller): string[] {
  const hidden = new Set(hiddenFrom(scope))
  const free = NAMES.filter((name) => !hidden.has(name))
  return Array.from({ length: 2 ** free.length }, (_, chosen) => {
    const more = new Set(free.filter((_name, place) => (chosen >> place) % 2 === 1))
    return storedClasses(NAMES.filter((name) => hidden.has(name) || more.has(name)))
  })
}

/** Whether the caller is kept from what lets its holder act as somebody else. */
export const isLimited = ({ actor }: Caller): boolean => isBelowAccount(actor)

/**
 * A reply as its caller may see it. `credentials` are its fields that let their holder act as somebody else, who may do
 * more than a role.
 */
export function shownTo(scope: Caller, reply: unknown, credentials: readonly string[] = []): unknown {
  const shown = withoutHidden(reply, hiddenFrom(scope))
  if (credentials.length === 0 || !isLimited(scope)) return shown
  return Object.fromEntries(Object.entries(shown as object).filter(([name]) => !credentials.includes(name)))
}

/** As a listener keeps what it is not sent, and back. */
export const storedClasses = (hides: readonly DataClassName[]): string => hides.join(',')
export const classesIn = (text: string): readonly DataClassName[] =>
  NAMES.filter((name) => text.split(',').includes(name))
