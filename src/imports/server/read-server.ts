import { mkdir, rm } from 'node:fs/promises'
import type { UtcTime } from '../../lib/time.ts'
import type { Client, Sent } from './client.ts'
import { id, mapped } from './field-maps.ts'
import { methodRow, renewedHere, type RenewedHere } from './methods.ts'
import { readOffers, readProduct, readStores } from './read-catalogue.ts'
import { RowFiles } from './row-files.ts'
import {
  installRow,
  licenseRow,
  paymentRow,
  placesOf,
  type Places,
  siteRow,
  subscriptionRow,
  takenBack,
  trialRow,
} from './to-rows.ts'

interface Reading {
  /** Where the files are written; what is in it goes. */
  readonly folder: string
  readonly now: UtcTime
  /** Where products go whose server tells no stores. */
  readonly storeId: number
  readonly renewed: RenewedHere
  readonly onProduct?: (title: string) => void
}

/**
 * Reads all that the interface of a server tells its developer, and writes it as files of the kinds that are moved, with
 * ids and keys as they are there. Answers the ids of its subscriptions.
 */
export async function readServer(client: Client, reading: Reading): Promise<ReadonlySet<number>> {
  await rm(reading.folder, { recursive: true, force: true })
  await mkdir(reading.folder, { recursive: true, mode: 0o700 })
  const files = new RowFiles(reading.folder)
  const subscriptions = new Set<number>()
  try {
    const stores = await readStores(client, files)
    for await (const product of client.all('/products.json', 'plugins')) {
      reading.onProduct?.(String(product['title']))
      const storeId = stores.has(product['store_id']) ? null : reading.storeId
      await readProduct(client, files, { product, storeId })
      await readOffers(client, files, { product, storeId })
      await readSales(client, files, { ...reading, product, subscriptions })
    }
  } finally {
    await files.close()
  }
  return subscriptions
}

interface OfProduct extends Pick<Reading, 'now' | 'renewed'> {
  readonly product: Sent
  /** The ids of all subscriptions of the server, to which those of the product are added. */
  readonly subscriptions: Set<number>
}

async function readSales(client: Client, files: RowFiles, of: OfProduct): Promise<void> {
  const path = `/products/${of.product['id']}`
  const subscriptions = await Array.fromAsync(client.all(`${path}/subscriptions.json`, 'subscriptions'))
  const trials = await Array.fromAsync(client.all(`${path}/trials.json`, 'trials'))
  const rows = subscriptions.map((sent) => {
    const row = subscriptionRow(sent)
    of.subscriptions.add(Number(row['id']))
    return renewedHere(row, of.renewed.get(Number(row['id'])), { sent, now: of.now })
  })
  const renews = (sent: Sent) => sent['environment'] === 0 && sent['canceled_at'] === null
  const paying = new Set(subscriptions.filter(renews).map((sent) => sent['user_id']))
  for await (const user of client.all(`${path}/users.json`, 'users')) {
    await files.addOnce('users', mapped('users', user))
    const isPaying = paying.has(user['id'])
    const place = { ...mapped('product_users', user), product_id: id(of.product['id']), is_paying: isPaying }
    await files.add('product_users', place)
  }
  const tried = new Map(trials.map((sent) => [id(sent['license_id']), sent['converted_at'] !== null]))
  const places = new Map<unknown, Places>()
  for await (const license of client.all(`${path}/licenses.json`, 'licenses')) {
    places.set(id(license['id']), placesOf(license))
    await files.add('licenses', licenseRow(license, of.now, tried))
  }
  const uids = new Map<unknown, string>()
  const installs = await Array.fromAsync(client.all(`${path}/installs.json?all=true`, 'installs'))
  // The first one of a domain is what its subdomains are covered by.
  for (const install of installs.toReversed()) {
    uids.set(id(install['id']), String(install['uid']))
    await files.addOnce('sites', siteRow(install))
    await files.add('installs', installRow(install, places))
  }
  for (const row of rows) {
    const method = of.renewed.get(Number(row['id']))?.method
    if (method && row['payment_method_id'] !== undefined)
      await files.addOnce('payment_methods', methodRow(row, method))
    await files.add('subscriptions', row)
  }
  const cycles = new Map(rows.map((row) => [row['id'], row['billing_cycle']]))
  const payments = await Array.fromAsync(client.all(`${path}/payments.json`, 'payments'))
  const taken = takenBack(payments)
  for (const payment of payments.toReversed())
    await files.add('payments', paymentRow(payment, { taken, cycles }))
  const buyers = new Set([...subscriptions, ...payments].map((sent) => sent['user_id']))
  await readBilling(client, files, { path, buyers })
  for (const trial of trials) await files.add('trials', trialRow(trial, uids, of.now))
}

/** Requests that are made at once. */
const AT_ONCE = 8

/** The billing addresses of persons, which the interface tells one by one. */
async function readBilling(
  client: Client,
  files: RowFiles,
  { path, buyers }: { readonly path: string; readonly buyers: ReadonlySet<unknown> },
): Promise<void> {
  const ids = [...buyers]
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const told = await Promise.all(some.map((user) => client.one(`${path}/users/${user}/billing.json`)))
    for (const [n, sent] of told.entries())
      if (sent) await files.addOnce('billing', { ...mapped('billing', sent), user_id: id(some[n]) })
  }
}
