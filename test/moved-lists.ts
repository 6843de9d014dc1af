import assert from 'node:assert/strict'
import { Client } from '../src/imports/server/client.ts'
import { PRODUCT } from './moved-rows.ts'

type Login = ConstructorParameters<typeof Client>[0]

/** Lists of a product below its path, and fields of which the answers may differ, as docs/moving.md says. */
const LISTS: Readonly<Record<string, readonly [list: string, ...mayDiffer: string[]]>> = {
  'plans.json': ['plans'],
  'features.json': ['features'],
  'coupons.json': ['coupons'],
  'users.json': ['users'],
  'licenses.json': ['licenses'],
  'installs.json': ['installs'],
  'subscriptions.json': ['subscriptions', 'gateway', 'user_card_id'],
  'payments.json': ['payments', 'gateway', 'user_card_id'],
  'trials.json': ['trials'],
  'reviews.json': ['reviews'],
}

/**
 * Requires that two servers answer the same to every list of the product that has moved, field by field; returns how
 * many rows each list has.
 */
export async function requireSameLists(from: Login, to: Login): Promise<Readonly<Record<string, number>>> {
  const clients = [from, to].map((login) => new Client(login, () => Date.now()))
  const sizes: Record<string, number> = {}
  for (const [path, [name, ...mayDiffer]] of Object.entries(LISTS)) {
    const answers = await Promise.all(
      clients.map(async (client) =>
        (await Array.fromAsync(client.all(`/products/${PRODUCT}/${path}`, name)))
          .map((sent) =>
            Object.fromEntries(Object.entries(sent).filter(([field]) => !mayDiffer.includes(field))),
          )
          .toSorted((a, b) => Number(a['id']) - Number(b['id'])),
      ),
    )
    assert.ok(answers[0] && (answers[0].length > 0 || ['features', 'trials'].includes(name)), name)
    assert.deepEqual(answers[1], answers[0], name)
    sizes[name] = answers[0].length
  }
  return sizes
}
