import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type Sent } from '../src/imports/server/client.ts'
import { BASE, BUNDLE, OTHER_PLAN, OTHER_PRODUCT, PLAN, PRODUCT, SECOND_PLAN } from './moved-base.ts'

type Login = ConstructorParameters<typeof Client>[0]

const product = `/products/${PRODUCT}`

/** Lists of an account with what has moved, by name, and where they stand. None of them may be empty. */
const LISTS: readonly (readonly [name: string, path: string, items?: string])[] = [
  ['stores', '/stores.json'],
  ['products', '/products.json', 'plugins'],
  ['settings', `${product}/settings.json`],
  ['add-ons', `${product}/addons.json`, 'plugins'],
  ['members', `/products/${BUNDLE}/bundle/members.json`, 'plugins'],
  ['plans', `${product}/plans.json`],
  ['plans', `/products/${OTHER_PRODUCT}/plans.json`],
  ['pricing', `${product}/plans/${PLAN}/pricing.json`],
  ['pricing', `${product}/plans/${SECOND_PLAN}/pricing.json`],
  ['features', `${product}/features.json`],
  ['features', `${product}/plans/${PLAN}/features.json`],
  ['features', `${product}/plans/${SECOND_PLAN}/features.json`],
  ['coupons', `${product}/coupons.json?is_enriched=true`],
  ['coupons', `/stores/${BASE}/coupons.json?is_enriched=true`],
  ['special coupons', `${product}/coupons/special.json`, 'coupon_entities'],
  ['users', `${product}/users.json`],
  ['licenses', `${product}/licenses.json`],
  ['installs', `${product}/installs.json?all=true`],
  ['subscriptions', `${product}/subscriptions.json`],
  ['payments', `${product}/payments.json`],
  ['trials', `${product}/trials.json`],
  ['reviews', `${product}/reviews.json`],
]

/** What is told as a whole. */
const WHOLE: readonly (readonly [name: string, path: string])[] = [
  ...[PRODUCT, OTHER_PRODUCT, BUNDLE].map((id) => ['products', `/products/${id}.json`] as const),
  ['info', `${product}/info.json`],
  ['senders', `${product}/emails/addresses.json`],
  ['senders', `/stores/${BASE}/emails/addresses.json`],
  ['plans', `${product}/plans/${PLAN}.json`],
  ['plans', `/products/${OTHER_PRODUCT}/plans/${OTHER_PLAN}.json`],
  ['currencies', `${product}/plans/currencies.json`],
  ['the pricing table', `${product}/pricing.json`],
  ['notes', `${product}/coupons/${BASE + 2}/note.json`],
  ['billing addresses', `${product}/users/${BASE}/billing.json`],
  ['counts', `${product}/installs/count.json`],
  ['counts', `${product}/reviews/summary.json`],
]

/** Fields of which the answers may differ, by list: the rows of the table in docs/moving.md that name fields. */
async function mayDiffer(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await readFile(join(import.meta.dirname, '../docs/moving.md'), 'utf8')
  const found = new Map<string, ReadonlySet<string>>()
  for (const [, fields = '', lists = ''] of text.matchAll(
    /^\| ((?:`[a-z_]+`(?:, )?)+) of ([a-z, ]+) \|.*\|.*\|$/gm,
  ))
    for (const list of lists.split(', '))
      found.set(list, new Set([...fields.matchAll(/[a-z_]+/g)].map(([field]) => field)))
  for (const list of found.keys())
    assert.ok(
      LISTS.some(([name]) => name === list),
      `no list is called ${list}`,
    )
  return found
}

/**
 * Requires that two servers answer the same to everything that the developer is told of what has moved, field by field,
 * but for what docs/moving.md says; returns how many rows each list has.
 */
export async function requireSameLists(from: Login, to: Login): Promise<Readonly<Record<string, number>>> {
  const clients = [from, to].map((login) => new Client(login, () => Date.now()))
  const differ = await mayDiffer()
  const compared = (name: string, sent: Sent) =>
    Object.fromEntries(Object.entries(sent).filter(([field]) => differ.get(name)?.has(field) !== true))
  const sizes: Record<string, number> = {}
  for (const [name, path, items = name] of LISTS) {
    const [there = [], here = []] = await Promise.all(
      clients.map(async (client) =>
        (await Array.fromAsync(client.all(path, items))).toSorted(
          (a, b) => Number(a['id']) - Number(b['id']),
        ),
      ),
    )
    assert.ok(there.length > 0, `${path} is empty`)
    const isOfAccount = ['/stores.json', '/products.json'].includes(path)
    const ids = new Set(there.map(({ id }) => id))
    // The account may have had stores and products of its own.
    const moved = isOfAccount ? here.filter(({ id }) => ids.has(id)) : here
    assert.deepEqual(
      moved.map((sent) => compared(name, sent)),
      there.map((sent) => compared(name, sent)),
      path,
    )
    sizes[name] = Math.max(sizes[name] ?? 0, there.length)
  }
  for (const [name, path] of WHOLE) {
    const [there, here] = await Promise.all(clients.map((client) => client.get(path)))
    assert.ok(there, `${path} tells nothing`)
    assert.deepEqual(here && compared(name, here), compared(name, there), path)
  }
  return sizes
}
