import { queryOptions } from '@tanstack/react-query'
import type { Pricing } from '../../src/catalogue/plans/pricing-schema.ts'
import type { Plan } from '../../src/catalogue/plans/schema.ts'
import type { Plugin as Product } from '../../src/catalogue/products/schema.ts'
import { ask } from '../ui/server.ts'

/** Products at a time, as many as the interface lists. */
const AT_ONCE = 50

/** All products of an account. */
export const productsQuery = (account: string) =>
  queryOptions({
    queryKey: ['products', account],
    staleTime: 60_000,
    queryFn: async (): Promise<readonly Product[]> => {
      const all: Product[] = []
      for (;;) {
        const query = { count: AT_ONCE, offset: all.length || undefined }
        const { plugins } = await ask<{ plugins: Product[] }>(`/developers/${account}/products.json`, query)
        all.push(...plugins)
        if (plugins.length < AT_ONCE) return all
      }
    },
  })

/** All plans of a product, by the path that its calls begin with. */
export const plansQuery = (path: string) =>
  queryOptions({
    queryKey: ['plans', path],
    staleTime: 60_000,
    queryFn: async () => (await ask<{ plans: readonly Plan[] }>(`${path}/plans.json`)).plans,
  })

/** The prices of a plan, by the path that the calls about its product begin with. */
export const pricesQuery = (path: string, plan: string) =>
  queryOptions({
    queryKey: ['pricing', path, plan],
    queryFn: async () =>
      (await ask<{ pricing: readonly Pricing[] }>(`${path}/plans/${plan}/pricing.json`, { count: AT_ONCE }))
        .pricing,
  })
