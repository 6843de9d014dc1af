import type { Problem } from '../shared/call.ts'
import type { Checkout, CheckoutResult } from './server.ts'

/** What a buyer types, kept here until it is paid: an answer of the server never overwrites it. */
export interface Input {
  readonly email: string
  readonly first: string
  readonly last: string
  readonly country: string
  readonly region: string
  readonly zip: string
  readonly vatId: string
  readonly company: string
  readonly street: string
  readonly apt: string
  readonly city: string
  readonly coupon: string
  /** The test payment of a sandbox. */
  readonly testToken: string
}

export type Field = keyof Input

/** What a buyer agrees to by a box. */
export type Consent = 'waiver' | 'marketing'

/** Where a checkout is: each phase has a view of its own. */
export type Phase = 'opening' | 'failed' | 'open' | 'paying' | 'confirming' | 'waiting' | 'paid'

export interface State {
  readonly phase: Phase
  readonly checkout: Checkout | null
  readonly input: Input
  /** Why a field is not right, by field, as the page or the server says it. */
  readonly errors: Readonly<Partial<Record<Field | Consent, string>>>
  /** The boxes that the buyer has changed. */
  readonly ticks: Readonly<Partial<Record<Consent, boolean>>>
  /** Why the whole could not be opened, changed or paid. */
  readonly problem: Problem | null
  /** Why a call waits: nobody answers, or the server is busy. */
  readonly waits: Problem | null
  readonly result: CheckoutResult | null
  /** Whether the method of payment has a button of its own. */
  readonly hasOwnButton: boolean
  /** Whether a discount is offered to who wants to leave. */
  readonly isLeaving: boolean
  /** Whether what was bought could not be put on the site that the buyer came from. */
  readonly isSiteRefused: boolean
}

export const EMPTY: Input = {
  email: '',
  first: '',
  last: '',
  country: '',
  region: '',
  zip: '',
  vatId: '',
  company: '',
  street: '',
  apt: '',
  city: '',
  coupon: '',
  testToken: 'test_succeeds',
}

export const START: State = {
  phase: 'opening',
  checkout: null,
  input: EMPTY,
  errors: {},
  ticks: {},
  problem: null,
  waits: null,
  result: null,
  hasOwnButton: false,
  isLeaving: false,
  isSiteRefused: false,
}

/** Fields and the names that the interface has for them. */
export const NAMES = {
  email: 'user_email',
  first: 'user_firstname',
  last: 'user_lastname',
  country: 'country_code',
  region: 'region',
  zip: 'zip_postal_code',
  vatId: 'vat_id',
  company: 'business_name',
  street: 'address_street',
  apt: 'address_apt',
  city: 'address_city',
  coupon: 'coupon',
} as const satisfies Readonly<Partial<Record<Field, string>>>

/** Fields that stay as they are where the buyer has proven who that is. */
export const PERSON: ReadonlySet<string> = new Set(['email', 'first', 'last'])

/** What was typed before the server answered stays; the rest is as the server has it. */
export function inputOf({ buyer, discount }: Checkout, typed: Input): Input {
  const known: Omit<Input, 'testToken'> = {
    email: buyer.email,
    first: buyer.first,
    last: buyer.last,
    country: buyer.country_code?.toUpperCase() ?? '',
    region: buyer.region ?? '',
    zip: buyer.zip_postal_code ?? '',
    vatId: buyer.vat_id ?? '',
    company: buyer.business_name ?? '',
    street: buyer.address_street ?? '',
    apt: buyer.address_apt ?? '',
    city: buyer.address_city ?? '',
    coupon: discount?.code ?? '',
  }
  const own = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')) as Partial<Input>
  return { ...EMPTY, ...known, ...own }
}
