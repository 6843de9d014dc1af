import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Feature, FeatureOfPlan } from '../../src/catalogue/plans/feature-schema.ts'
import type { Pricing } from '../../src/catalogue/plans/pricing-schema.ts'
import type { Plan } from '../../src/catalogue/plans/schema.ts'
import type { Plugin as Product } from '../../src/catalogue/products/schema.ts'
import { ask, type Query } from '../ui/server.ts'

/** Products at a time, as many as the interface lists. */
const AT_ONCE = 50

/** All that a list has, as it is narrowed, however many times it must be asked for. */
export async function allOf<T>(path: string, items: string, narrowed: Query = {}): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const query = { ...narrowed, count: AT_ONCE, offset: all.length || undefined }
    const found = (await ask<Record<string, readonly T[]>>(path, query))[items] ?? []
    all.push(...found)
    if (found.length < AT_ONCE) return all
  }
}

/** All products of an account. */
export const productsQuery = (account: string) =>
  queryOptions({
    queryKey: ['products', account],
    staleTime: 60_000,
    queryFn: () => allOf<Product>(`/developers/${account}/products.json`, 'plugins'),
  })

/** Of the browser: the product of an account that was opened last. */
const lastOf = (account: string) => `keywright-product-${account}`

export const rememberProduct = (account: string, product: string): void =>
  localStorage.setItem(lastOf(account), product)

/**
 * The product that pages are about: that of the address, else the one that was opened last here, else the one that is
 * sold most. Undefined while that is not known, and where there is none.
 */
export function useChosenProduct(): string | undefined {
  const { account = '', product } = useParams({ strict: false })
  const { data: products = [] } = useQuery(productsQuery(account))
  if (product !== undefined) return product
  const last = localStorage.getItem(lastOf(account))
  if (products.some(({ id }) => id === last)) return last ?? undefined
  const most = Math.max(...products.map((one) => one.total_purchases))
  return products.find((one) => one.total_purchases === most)?.id
}

/** All plans of a product, by the path that its calls begin with. */
export const plansQuery = (path: string) =>
  queryOptions({
    queryKey: ['plans', path],
    staleTime: 60_000,
    queryFn: async () => (await ask<{ plans: readonly Plan[] }>(`${path}/plans.json`)).plans,
  })

/** What a plan may give, in the order of the product, by the path that its calls begin with. */
export const featuresQuery = (path: string) =>
  queryOptions({
    queryKey: ['features', path],
    queryFn: () => allOf<Feature>(`${path}/features.json`, 'features'),
  })

/** What of it a plan gives. */
export const featuresOfPlanQuery = (path: string, plan: string) =>
  queryOptions({
    queryKey: [`${path}/plans/${plan}/features.json`],
    queryFn: () => allOf<FeatureOfPlan>(`${path}/plans/${plan}/features.json`, 'features'),
  })

/** The prices of a plan, by the path that the calls about its product begin with. */
export const pricesQuery = (path: string, plan: string) =>
  queryOptions({
    queryKey: [`${path}/plans/${plan}/pricing.json`],
    queryFn: () => allOf<Pricing>(`${path}/plans/${plan}/pricing.json`, 'pricing'),
  })
