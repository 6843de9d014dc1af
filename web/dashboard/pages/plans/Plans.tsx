import { useQueries, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { Pricing } from '../../../../src/catalogue/plans/pricing-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Copy, State } from '../../format.tsx'
import { ApiCall, Empty, Failure, PageHead } from '../../parts.tsx'
import { Facts, Loading } from '../../../ui/parts.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { plansQuery, pricesQuery, productsQuery } from '../../products.ts'
import { prefix } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { CreatePlan, PlanActions } from './EditPlan.tsx'
import { Features } from './Features.tsx'
import { Prices } from './Prices.tsx'

/** What a buyer can choose, with the prices of each plan, and the keys that the product is known by. */
export function Plans() {
  const { account, path, product } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  const { data: plans, error, refetch } = useQuery(plansQuery(path))
  const found = products?.find(({ id }) => id === product)
  const [isCreating, setCreating] = useCreating('catalogue')
  const prices = useQueries({ queries: (plans ?? []).map(({ id }) => pricesQuery(path, id)) })
  // All at once, so that nothing moves.
  const isLoading = !error && (plans === undefined || prices.some(({ isPending }) => isPending))
  const isEmpty = plans?.length === 0
  const create = (
    <Allowed group="catalogue">
      {(barred) => (
        <Button {...barred} onClick={() => setCreating(true)}>
          {texts.createPlan}
        </Button>
      )}
    </Allowed>
  )
  const checkout = `${prefix}/checkout/product/${product}/`
  return (
    <>
      <PageHead
        title={found?.title ?? texts.plans}
        about={texts.plans}
        actions={
          <>
            <Button
              component="a"
              variant="default"
              href={`${prefix}/checkout/designer?product_id=${product}`}
              target="_blank"
            >
              {texts.designCheckout}
            </Button>
            <Button component="a" variant="default" href={checkout} target="_blank">
              {texts.openCheckout}
            </Button>
            {isEmpty ? null : create}
          </>
        }
      />
      {isCreating ? <CreatePlan close={() => setCreating(false)} /> : null}
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {isLoading ? <Loading lines={8} /> : null}
      {isLoading || error ? null : (
        <>
          <div className="two">
            <div className="stack">
              {isEmpty ? (
                <Empty
                  title={texts.noPlans}
                  more={texts.noPlansMore}
                  making={{ path: `${path}/plans.json`, body: { title: 'Pro' } }}
                >
                  {create}
                </Empty>
              ) : null}
              {plans?.map((plan, at) => (
                <Priced key={plan.id} plan={plan} prices={prices[at]?.data} />
              ))}
            </div>
            {found ? <Known product={found} /> : null}
          </div>
          <Features plans={plans} />
        </>
      )}
      <ApiCall path={`${path}/plans.json`} />
    </>
  )
}

/** By what the product is known. */
function Known({ product }: { readonly product: Product }) {
  return (
    <Facts
      facts={[
        { label: texts.id, value: <Copy text={product.id} /> },
        { label: texts.slug, value: product.slug },
        { label: texts.publicKey, value: <Copy text={product.public_key} /> },
        { label: texts.moneyBack, value: fill(texts.days, { count: product.money_back_period ?? 0 }) },
      ]}
    />
  )
}

interface OfPlan {
  readonly plan: Plan
  readonly prices: readonly Pricing[] | undefined
}

const Priced = ({ plan, prices }: OfPlan) => (
  <section className="stack">
    <div className="page-head">
      <div className="page-title">
        <h2>{plan.title}</h2>
        {plan.is_hidden ? <State word={texts.hidden} tone="plain" /> : null}
        {plan.trial_period ? (
          <span className="muted">{fill(texts.trialDays, { count: plan.trial_period })}</span>
        ) : null}
      </div>
      <PlanActions plan={plan} />
    </div>
    <Prices plan={plan} prices={prices} />
  </section>
)
