import type { NoFit } from './map.ts'

/** What several platforms have, and this server has not. */
export const OTHER_CYCLES: NoFit = {
  what: 'cycles other than a month and a year',
  why: 'none other is charged here: `unknown_cycle`',
}
export const OTHER_CURRENCIES: NoFit = {
  what: 'payments in currencies other than US dollars, euros and pounds',
  why: 'nothing is sold in them here: `unknown_currency`; their licenses come',
}
export const SOME_MONTHS: NoFit = {
  what: 'discounts of some months',
  why: 'are of the first payment alone',
}
export const PAUSED: NoFit = { what: 'paused subscriptions', why: 'have no next payment here' }

/** Of a platform that sells in its own name, and so keeps the cards. */
export const methodsOf = (title: string): NoFit => ({
  what: 'methods of payment',
  why: `${title} is the merchant and hands out no token of a card: a subscription is paid there (\`is_elsewhere\`) until its buyer stores a method here`,
})
