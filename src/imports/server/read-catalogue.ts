import { SETTING_NUMBERS, SETTING_TYPES, type SettingType } from '../../catalogue/products/settings-schema.ts'
import { parseObject } from '../../lib/json.ts'
import type { Client, Sent } from './client.ts'
import { id, mapped } from './field-maps.ts'
import type { RowFiles } from './row-files.ts'
import { addressesRow, couponRow, infoRow, productRow } from './to-rows.ts'

type Row = Readonly<Record<string, unknown>>

/** Takes along what a path has of a single thing, where there is one. */
const bringing =
  (client: Client, files: RowFiles) =>
  async (path: string, kind: string, rowOf: (sent: Sent) => Row): Promise<void> => {
    const sent = await client.one(path)
    if (sent) await files.addOnce(kind, rowOf(sent))
  }

/** Reads the stores with their senders; answers their ids. */
export async function readStores(client: Client, files: RowFiles): Promise<ReadonlySet<unknown>> {
  const ids = new Set<unknown>()
  const bring = bringing(client, files)
  for (const store of await client.list('/stores.json', 'stores')) {
    ids.add(store['id'])
    await files.add('stores', mapped('stores', store))
    await bring(`/stores/${store['id']}/emails/addresses.json`, 'email_addresses', (senders) => ({
      ...addressesRow(senders),
      product_id: null,
    }))
  }
  return ids
}

interface Placed {
  readonly product: Sent
  /** The store that it goes to; null: the one that it is in. */
  readonly storeId: number | null
}

/** Reads a product as it is set up. */
export async function readProduct(
  client: Client,
  files: RowFiles,
  { product, storeId }: Placed,
): Promise<void> {
  const path = `/products/${product['id']}`
  const product_id = id(product['id'])
  const inStore = storeId === null ? {} : { store_id: storeId }
  const settings = await readSettings(client, product)
  const row: Row = { ...productRow(product), ...columnsOf(settings ?? []), ...inStore }
  await files.add('products', row)
  for (const one of settings ?? asBegun(product))
    await files.add('settings', { ...mapped('settings', one), product_id })
  const bring = bringing(client, files)
  await bring(`${path}/info.json`, 'product_info', (info) => ({ ...infoRow(info), product_id }))
  await bring(`${path}/emails/addresses.json`, 'email_addresses', (senders) => ({
    ...addressesRow(senders),
    ...inStore,
    product_id,
  }))
  if (row['kind'] !== 'bundle') return
  for (const member of await client.list(`${path}/bundle/members.json`, 'plugins'))
    await files.add('bundle_members', { bundle_id: product_id, product_id: id(member['id']) })
}

/** The settings of a product; null of a server that does not list them. */
async function readSettings(client: Client, product: Sent): Promise<readonly Sent[] | null> {
  const told = await client.one(`/products/${product['id']}/settings.json`)
  const settings = told?.['settings']
  if (!Array.isArray(settings)) return null
  return (settings as readonly Sent[]).filter(({ setting_type: type }) => isSettingType(type))
}

const isSettingType = (type: unknown): type is SettingType => SETTING_NUMBERS.some((one) => one === type)

/** The settings that a product begins with. */
const asBegun = ({ created }: Sent): readonly Sent[] =>
  SETTING_NUMBERS.map((setting_type) => ({ setting_type, created, updated: null }))

/** The columns of a product that its settings hold. */
function columnsOf(settings: readonly Sent[]): Row {
  const columns: Record<string, unknown> = {}
  for (const { setting_type: type, data } of settings) {
    const values = parseObject(String(data))
    const names = isSettingType(type) ? Object.keys(SETTING_TYPES[type].schema.properties) : []
    for (const name of names) {
      const value = values?.[name]
      if (value !== undefined) columns[name] = Array.isArray(value) ? JSON.stringify(value) : value
    }
  }
  return columns
}

/** Reads what a product is sold as, what is taken off of that, and what buyers say of it. */
export async function readOffers(
  client: Client,
  files: RowFiles,
  { product, storeId }: Placed,
): Promise<void> {
  const path = `/products/${product['id']}`
  const product_id = id(product['id'])
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
  const bring = bringing(client, files)
  for await (const coupon of client.all(`${path}/coupons.json?is_enriched=true`, 'coupons')) {
    await files.addOnce('coupons', couponRow(coupon, storeId))
    await bring(`${path}/coupons/${coupon['id']}/note.json`, 'notes', (note) => ({
      ...mapped('notes', note),
      product_id,
    }))
  }
  for (const special of await client.list(`${path}/coupons/special.json`, 'coupon_entities')) {
    const isOfProduct = String(special['entity_id']) === String(product['id'])
    if (isOfProduct)
      await files.addOnce('special_coupons', { ...mapped('special_coupons', special), product_id })
  }
  for (const review of await client.list(`${path}/reviews.json`, 'reviews'))
    await files.addOnce('reviews', mapped('reviews', review))
}
