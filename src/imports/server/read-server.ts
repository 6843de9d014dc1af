import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { SETTING_NUMBERS } from '../../catalogue/products/settings-schema.ts'
import type { UtcTime } from '../../lib/time.ts'
import { KINDS } from '../kinds/kinds.ts'
import type { Client, Sent } from './client.ts'
import { id, mapped } from './field-maps.ts'
import { methodRow, renewedHere, type RenewedHere } from './methods.ts'
import {
  couponRow,
  installRow,
  licenseRow,
  paymentRow,
  placesOf,
  type Places,
  productRow,
  siteRow,
  subscriptionRow,
  takenBack,
  trialRow,
} from './to-rows.ts'

type Row = Readonly<Record<string, unknown>>

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
  const files = new Files(reading.folder)
  const subscriptions = new Set<number>()
  try {
    const stores = await client.list('/stores.json?count=50', 'stores')
    for (const store of stores) await files.add('stores', mapped('stores', store))
    for await (const product of client.all('/products.json', 'plugins')) {
      reading.onProduct?.(String(product['title']))
      const hasStore = stores.some((store) => store['id'] === product['store_id'])
      const row = productRow(product)
      await files.add('products', hasStore ? row : { ...row, store_id: reading.storeId })
      await readProduct(client, files, { ...reading, product, subscriptions })
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

async function readProduct(client: Client, files: Files, of: OfProduct): Promise<void> {
  await readCatalogue(client, files, of.product)
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
  for (const trial of trials) await files.add('trials', trialRow(trial, uids, of.now))
}

async function readCatalogue(client: Client, files: Files, product: Sent): Promise<void> {
  const path = `/products/${product['id']}`
  const product_id = id(product['id'])
  const made = { product_id, created: product['created'], updated: null }
  for (const setting_type of SETTING_NUMBERS) await files.add('settings', { ...made, setting_type })
  for (const feature of await client.list(`${path}/features.json`, 'features'))
    await files.add('features', mapped('features', feature))
  for (const plan of await client.list(`${path}/plans.json`, 'plans')) {
    await files.add('plans', mapped('plans', plan))
    for (const price of await client.list(`${path}/plans/${plan['id']}/pricing.json`, 'pricing'))
      await files.add('pricing', { ...mapped('pricing', price), product_id })
    for (const value of await client.list(`${path}/plans/${plan['id']}/features.json`, 'features'))
      await files.add('feature_values', {
        ...mapped('feature_values', value),
        product_id,
        plan_id: id(plan['id']),
      })
  }
  for await (const coupon of client.all(`${path}/coupons.json`, 'coupons'))
    await files.addOnce('coupons', couponRow(coupon))
  for (const special of await client.list(`${path}/coupons/special.json`, 'coupon_entities')) {
    const isOfProduct = String(special['entity_id']) === String(product['id'])
    if (isOfProduct)
      await files.addOnce('special_coupons', { ...mapped('special_coupons', special), product_id })
  }
  for (const review of await client.list(`${path}/reviews.json`, 'reviews'))
    await files.addOnce('reviews', mapped('reviews', review))
}

/** Lines that are written at once. */
const LINES = 500

/** The files of the kinds, each begun when it gets its first row. */
class Files {
  readonly #folder: string
  readonly #open = new Map<string, { readonly file: FileHandle; lines: string[] }>()
  readonly #seen = new Map<string, Set<unknown>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(kind: string, row: Row): Promise<void> {
    const known = this.#open.get(kind) ?? { file: await this.#begin(kind), lines: [] }
    this.#open.set(kind, known)
    known.lines.push(`${JSON.stringify(row)}\n`)
    if (known.lines.length < LINES) return
    const text = known.lines.join('')
    known.lines = []
    await known.file.writeFile(text)
  }

  /** Of what several products have in common: by its id. */
  async addOnce(kind: string, row: Row): Promise<void> {
    const seen = this.#seen.get(kind) ?? new Set()
    this.#seen.set(kind, seen)
    if (seen.has(row['id'])) return
    seen.add(row['id'])
    await this.add(kind, row)
  }

  async close(): Promise<void> {
    for (const { file, lines } of this.#open.values()) {
      await file.writeFile(lines.join(''))
      await file.close()
    }
  }

  #begin(kind: string): Promise<FileHandle> {
    if (!KINDS.some(({ name }) => name === kind)) throw new Error(`No kind is called ${kind}.`)
    return open(join(this.#folder, `${kind}.jsonl`), 'wx', 0o600)
  }
}
