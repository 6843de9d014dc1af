import { texts } from '../../texts/texts.ts'

/** What events are about, by how their types begin. */
export const ABOUT = [
  ['license', texts.licenses],
  ['install', texts.installs],
  ['payment', texts.payments],
  ['subscription', texts.subscriptions],
  ['cart', texts.carts],
  ['user', texts.customers],
] as const
