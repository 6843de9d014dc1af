import { queryOptions } from '@tanstack/react-query'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { ask, type Query } from '../../../ui/server.ts'
import { activationOf, type Making } from '../../curl.ts'
import { texts } from '../../texts/texts.ts'

/** One of the first things that a seller does. */
export interface Step {
  readonly name: 'product' | 'plan' | 'purchase' | 'activation' | 'webhook'
  readonly isDone: boolean
}

/** Types of events by which a step may be done. */
export const TICKING: ReadonlySet<string> = new Set([
  'store.plugin.added',
  'plan.created',
  'payment.created',
  'license.activated',
  'webhook.created',
])

/** How far the first steps are with a product of an account; null: there is none yet. */
export const stepsQuery = (accountPath: string, product: string | null) =>
  queryOptions({
    queryKey: ['steps', accountPath, product],
    // What was delivered is told by no event.
    refetchInterval: ({ state }) => (state.data?.every(({ isDone }) => isDone) === false ? 10_000 : false),
    queryFn: async (): Promise<readonly Step[]> => {
      const path = `${accountPath}/products/${product}`
      const is = (query: Query) =>
        product === null ? false : anyOf<EventLog>(`${path}/events.json`, 'events', { ...query, count: 1 })
      const done = await Promise.all([
        product !== null,
        product === null ? false : anyOf<Plan>(`${path}/plans.json`, 'plans', {}),
        is({ type: 'payment.created', environment: 1 }),
        is({ type: 'license.activated' }),
        is({ state: 'processed' }),
      ])
      return NAMES.map((name, n) => ({ name, isDone: done[n] ?? false }))
    },
  })

const NAMES = ['product', 'plan', 'purchase', 'activation', 'webhook'] as const

const anyOf = async <Row>(path: string, items: string, query: Query): Promise<boolean> =>
  ((await ask<Record<string, readonly Row[]>>(path, query))[items]?.length ?? 0) > 0

/** The call that does a step, with what is known of the account put in. */
export function callOf({ name }: Step, account: string, product: string | null): Making {
  const ofAccount = `/developers/${account}`
  const ofProduct = `${ofAccount}/products/${product ?? '$PRODUCT'}`
  switch (name) {
    case 'product':
      return { path: `${ofAccount}/products.json`, body: { title: texts.stepTitle } }
    case 'plan':
      return { path: `${ofProduct}/plans.json`, body: { name: 'pro', title: 'Pro' } }
    case 'purchase':
      return { path: `${ofProduct}/sandbox/token.json`, body: { days: 30 } }
    case 'activation':
      return activationOf(product ?? '$PRODUCT')
    case 'webhook':
      return { path: `${ofProduct}/webhooks.json`, body: { url: 'https://hooks.example.com' } }
    default:
      return name satisfies never
  }
}
