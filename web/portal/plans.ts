import { useQuery } from '@tanstack/react-query'
import type { Plan } from '../../src/catalogue/plans/schema.ts'
import { ask } from '../ui/server.ts'
import { useHere } from './place.ts'

/** What the plan of something is called, by its id; null: it is not known, or not yet. */
export function usePlans(): (of: { readonly plan_id: string }) => string | null {
  const { path } = useHere()
  const { data } = useQuery({
    queryKey: [`${path}/plans.json`],
    queryFn: () => ask<{ plans: readonly Pick<Plan, 'id' | 'title'>[] }>(`${path}/plans.json`),
  })
  return ({ plan_id: id }) => data?.plans.find((plan) => plan.id === id)?.title ?? null
}
