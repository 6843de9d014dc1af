import type { GoingOn } from '../../db/list-start.ts'
import type { Context, ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { idText } from '../../lib/id-text.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import type {
  AccountLicenseList,
  Enrichment,
  LicenseEnriched,
  LicenseList,
  UserLicense,
} from './list-schema.ts'
import { getLicenses } from './list.ts'
import { presentLicense, type LicenseRow } from './schema.ts'
import { membersOf } from '../../catalogue/bundles/bundle-rows.ts'
import { bundlesOf, kindsOfProducts, ownersById } from './list-licenses-queries.ts'
import type { LicenseSubscription } from '../hooks.ts'

/** A page of licenses, newest first; enriched with their owners and with what their subscriptions and bundles say. */
export async function listedLicenses(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: LicenseList & GoingOn,
): Promise<LicenseEnriched[]> {
  const rows = await getLicenses(ctx, scope, query)
  if (!query.enriched || rows.length === 0) return rows.map((row) => presentLicense(row, ctx.keys))
  const more = await enrichments(ctx, rows)
  const ids = new Set(rows.map((row) => row.user_id).filter((id) => id !== null))
  const people = await ownersById(ctx.db, [...ids])
  return rows.map((row) => {
    const { email = null, first = null, last = null } = people.find(({ id }) => id === row.user_id) ?? {}
    return { ...presentLicense(row, ctx.keys), ...more.get(row.id), email, first, last }
  })
}

/** A page of the licenses of all products of an account, newest first. */
export async function licensesOfAccount(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: AccountLicenseList,
): Promise<LicenseEnriched[]> {
  const lists = await overProducts(ctx, scope, query, (of, whole) => listedLicenses(ctx, of, whole))
  return pageOfAll(lists, query, orderOf(query))
}

/**
 * Licenses as clients read them (`docs/interface.md` 4.6); enriched with what their subscriptions and bundles say, with
 * the kind of their product, and with what it sells together where it is a bundle.
 */
export async function shownLicenses(
  ctx: ReadContext,
  rows: readonly LicenseRow[],
  isEnriched: boolean | undefined,
): Promise<UserLicense[]> {
  if (!isEnriched || rows.length === 0) return rows.map((row) => presentLicense(row, ctx.keys))
  const more = await enrichments(ctx, rows)
  const products = await kindsOfProducts(ctx.db, [...new Set(rows.map((row) => row.product_id))])
  const bundles = products.filter(({ kind }) => kind === 'bundle').map(({ id }) => id)
  const members = bundles.length === 0 ? [] : await membersOf(ctx.db, bundles)
  return rows.map((row) => {
    const product = products.find(({ id }) => id === row.product_id)
    const isBundle = product?.kind === 'bundle'
    const own = members.filter(({ bundle_id: id }) => id === row.product_id)
    return {
      ...presentLicense(row, ctx.keys),
      ...more.get(row.id),
      plugin_type: isBundle ? 'bundle' : (product?.type ?? 'plugin'),
      products: own.map(({ product_id: id }) => String(id)),
    }
  })
}

/** What is told of licenses beside their own fields, by their ids. */
async function enrichments(
  ctx: ReadContext,
  rows: readonly LicenseRow[],
): Promise<ReadonlyMap<number, Enrichment>> {
  if (rows.length === 0) return new Map()
  const subscriptions = await ctx.hooks.sales.subscriptionsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const parents = rows.flatMap(({ parent_license_id: id }) => (id === null ? [] : [id]))
  const bundles = parents.length === 0 ? [] : await bundlesOf(ctx.db, parents)
  return new Map(
    rows.map((row) => {
      const bundle = bundles.find(({ id }) => id === row.parent_license_id)
      return [row.id, { ...ofSubscription(subscriptions.get(row.id)), ...ofBundle(bundle) }]
    }),
  )
}

/** Of a license that nothing renews. */
const NO_SUBSCRIPTION: Enrichment = {
  subscription_id: null,
  subscription_total_gross: null,
  subscription_initial_amount: null,
  subscription_failed_payments: null,
  subscription_gateway: null,
  trial_ends: null,
  next_payment: null,
}

const ofSubscription = (one: LicenseSubscription | undefined): Enrichment =>
  one
    ? {
        subscription_id: String(one.id),
        subscription_total_gross: one.totalGross,
        subscription_initial_amount: one.initialAmount,
        subscription_failed_payments: one.failedPayments,
        subscription_gateway: one.gateway,
        trial_ends: one.trialEnds,
        next_payment: one.nextPayment,
      }
    : NO_SUBSCRIPTION

const ofBundle = (bundle: Awaited<ReturnType<typeof bundlesOf>>[number] | undefined): Enrichment => ({
  parent_plan_id: bundle?.plan_id ?? null,
  parent_license_id: idText(bundle?.id ?? null),
  parent_license_bundle_id: idText(bundle?.product_id ?? null),
  parent_plan_title: bundle?.title ?? null,
  parent_plan_name: bundle?.name ?? null,
})
