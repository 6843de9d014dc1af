import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { requireUnlimited, type Scope } from '../../access/scope.ts'
import { LAWFUL_PARTS, type PortalPart } from '../../access/portal-parts.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import type { ProductChange, WholeProduct } from './schema.ts'
import {
  columnsOf,
  presentSetting,
  SETTING_TYPES,
  type Setting,
  type SettingRow,
  type SettingType,
} from './settings-schema.ts'
import {
  awaitPortal,
  deleteSettingRow,
  findSetting,
  findWholeProduct,
  inheritsSupport,
  insertSettings,
  listSettings,
  touchSetting,
} from './settings-queries.ts'
import { changeProduct } from './update.ts'

/** The settings that the product has, by their type. */
export async function getSettings(ctx: ReadContext, scope: Scope): Promise<Setting[]> {
  const product = await wholeProduct(ctx, scope)
  const rows = await listSettings(ctx.db, scope)
  return rows.map((row) => presentSetting(row, product))
}

/** 404 when the product has no such setting. */
export async function getSetting(ctx: ReadContext, scope: Scope, id: number): Promise<Setting> {
  return presentSetting(await settingOf(ctx, scope, id), await wholeProduct(ctx, scope))
}

/** Writes the keys of `data` that were given; those left out stay. 404 when the product has no such setting. */
export async function updateSetting(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { data }: { readonly data?: string },
): Promise<Setting> {
  const before = await heldProduct(ctx, scope)
  await apply(ctx, scope, { setting: await settingOf(ctx, scope, id), before }, data)
  return getSetting(ctx, scope, id)
}

/** Writes a setting by its type, which the product is given when it lacks it. */
export async function writeSetting(
  ctx: TxContext,
  scope: Scope,
  { setting_type: type, data }: { readonly setting_type: SettingType; readonly data?: string },
): Promise<Setting> {
  const before = await heldProduct(ctx, scope)
  await insertSettings(ctx.db, scope, [type], ctx.clock.now())
  const setting = (await listSettings(ctx.db, scope)).find((row) => row.setting_type === type)
  if (!setting) throw new Error('A setting that was just written is there.')
  await apply(ctx, scope, { setting, before }, data)
  return getSetting(ctx, scope, setting.id)
}

async function apply(
  ctx: TxContext,
  scope: Scope,
  { setting, before }: { readonly setting: SettingRow; readonly before: WholeProduct },
  data: string | undefined,
): Promise<void> {
  if (data === undefined) return
  const columns = columnsOf(setting.setting_type as SettingType, data)
  refuseLimited(scope, before, columns)
  await refuseUnasked(ctx, scope, before, columns)
  const after = await changeProduct(ctx, scope, before, columns)
  if (after !== before) await touchSetting(ctx.db, scope, setting.id, ctx.clock.now())
}

/** Takes a setting away: the product has again what it has without it. */
export async function deleteSetting(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const before = await heldProduct(ctx, scope)
  const deleted = await deleteSettingRow(ctx.db, scope, id)
  if (!deleted) throw notFound('setting')
  const { without } = SETTING_TYPES[deleted.setting_type as SettingType]
  refuseLimited(scope, before, without)
  await refuseUnasked(ctx, scope, before, without)
  await changeProduct(ctx, scope, before, without)
}

/** Where buyers are led and sign in, with what they paid and who they are, whom they write to, and whether more is charged. */
const FOR_ADMINS = [
  'redirect_hosts',
  'charge_arrears',
  'checkout_redirect_url',
  'recovery_url',
  'support_email',
  'portal_embed_hosts',
] as const

function refuseLimited(scope: Scope, before: WholeProduct, columns: ProductChange): void {
  const changed = FOR_ADMINS.find((name) => columns[name] !== undefined && columns[name] !== before[name])
  if (changed) requireUnlimited(scope, `Another value of ${changed}`)
}

/** 400 where what the law gives buyers is switched off, and there is no address at which they could ask for it. */
async function refuseUnasked(
  ctx: TxContext,
  scope: Scope,
  before: WholeProduct,
  columns: ProductChange,
): Promise<void> {
  if (columns.portal_off === undefined && columns.support_email === undefined) return
  const { portal_off: text, support_email: own } = { ...before, ...columns }
  const parts = JSON.parse(text ?? '[]') as PortalPart[]
  const lawful = LAWFUL_PARTS.filter((part) => parts.includes(part))
  if (lawful.length === 0 || own !== null || (await inheritsSupport(ctx.db, scope))) return
  const field = columns.portal_off === undefined ? 'data.support_email' : 'data.portal_off'
  const message = `needs an address of support, to which buyers write who want what is off: ${lawful.join(', ')}`
  throw invalidFields([{ field, message }])
}

async function heldProduct(ctx: TxContext, scope: Scope): Promise<WholeProduct> {
  await awaitPortal(ctx.db, scope)
  const product = await hold(ctx.db, 'products', scope, scope.productId)
  if (!product) throw notFound('product')
  return product
}

async function wholeProduct(ctx: ReadContext, scope: Scope): Promise<WholeProduct> {
  const product = await findWholeProduct(ctx.db, scope)
  if (!product) throw notFound('product')
  return product
}

async function settingOf(ctx: ReadContext, scope: Scope, id: number): Promise<SettingRow> {
  const row = await findSetting(ctx.db, scope, id)
  if (!row) throw notFound('setting')
  return row
}
