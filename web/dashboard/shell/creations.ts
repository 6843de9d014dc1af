import type { Account } from '../session.ts'
import { may } from '../session.ts'
import { texts } from '../texts/texts.ts'
import type { Way } from '../ways.ts'

/** What can be created: whom a role must be allowed to write, the page of it, and its words. */
const OF_PRODUCT = [
  ['licenses', 'licenses', texts.issueLicense],
  ['customers', 'customers', texts.addCustomer],
  ['catalogue', 'coupons', texts.createCoupon],
  ['catalogue', 'plans', texts.createPlan],
  ['catalogue', 'reviews', texts.writeReview],
  ['deployments', 'versions', texts.uploadVersion],
  ['events', 'webhooks', texts.addWebhook],
] as const
const OF_ACCOUNT = [
  ['catalogue', 'products', texts.createProduct],
  ['catalogue', 'stores', texts.openStore],
  ['tokens', 'tokens', texts.addToken],
  ['members', 'team', texts.invite],
  ['bank account', 'bank-accounts', texts.addBankAccount],
] as const

export interface Creation {
  readonly words: string
  readonly way: Way
}

/** `new`, `create`: what is created follows. */
const BEGIN = /^(?:new|create|add|neu(?:e[rsn]?)?|anlegen)\b\s*/i

/** What a person may create in an account, and in a product where there is one, whose words have what was typed. */
export function creationsOf(account: Account, product: string | undefined, typed: string): Creation[] {
  const wanted = typed.trim().replace(BEGIN, '').toLowerCase()
  const params = { account: account.developer_id }
  const of =
    (way: Omit<Way, 'to'>, path: string) =>
    ([group, page, words]: readonly [string, string, string]) =>
      may(account, group, 'write') && words.toLowerCase().includes(wanted)
        ? [{ words, way: { ...way, to: `${path}/${page}` } }]
        : []
  return [
    ...(product === undefined
      ? []
      : OF_PRODUCT.flatMap(of({ params: { ...params, product } }, '/$account/$product'))),
    ...OF_ACCOUNT.flatMap(of({ params }, '/$account')),
  ]
}
