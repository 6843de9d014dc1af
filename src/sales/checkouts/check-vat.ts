import type { Context } from '../../context.ts'
import { readToken } from '../../lib/signed-token.ts'
import { hashesOfKey } from '../../licensing/licenses/key.ts'
import { checkVatId } from '../taxes/vat-id.ts'
import { vatIdOfBuyer } from './company.ts'
import { vatIdOfLicense } from './license-queries.ts'
import type { CheckoutChange, CheckoutOpen, CheckoutRow } from './schema.ts'

/** What a check of the VAT id that was told says; nothing where none was. */
export type VatCheck = Partial<Pick<CheckoutRow, 'vat_id' | 'vat_country' | 'vat_check'>>

type VatAsked = CheckoutChange &
  Partial<Pick<CheckoutOpen, 'license_id' | 'license_key' | 'product_id' | 'user_token'>>
type Checking = Pick<Context, 'db' | 'keys' | 'vatIds' | 'clock'>

/**
 * Has a VAT id that is told checked, or that of the license that is named, or else of the billing record of the user of
 * a token, which has the form of one: also online, so outside of transactions.
 */
export async function checkVat(ctx: Checking, input: VatAsked): Promise<VatCheck> {
  const { vat_id: told, license_id: id, license_key: key } = input
  const isOfLicense = told === undefined && (id !== undefined || key !== undefined)
  if (told === undefined && !isOfLicense) return vatOfToken(ctx, input)
  const hashes = key === undefined ? [] : hashesOfKey(key, ctx.keys)
  const text = told ?? (await vatIdOfLicense(ctx.db, { id, hashes }))
  if (text === undefined) return {}
  const checked = await checkVatId(text, ctx.vatIds)
  return { vat_country: checked?.country ?? null, vat_check: checked?.check ?? null }
}

async function vatOfToken({ db, keys, vatIds, clock }: Checking, input: VatAsked): Promise<VatCheck> {
  const { user_token: token, product_id: productId } = input
  const claims =
    token === undefined ? null : readToken(keys, token, { purpose: 'checkout', now: clock.real() })
  if (!claims || claims['plugin_id'] !== String(productId)) return {}
  const known = await vatIdOfBuyer(db, Number(claims['user_id']), input)
  const checked = known === null ? null : await checkVatId(known, vatIds)
  if (checked === null || checked.check === 'malformed') return {}
  return { vat_id: known, vat_country: checked.country, vat_check: checked.check }
}
