import { useQueries, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Copy, State } from '../../format.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Blank, Facts, Loading } from '../../../ui/parts.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { plansQuery, pricesQuery, productsQuery } from '../../products.ts'
import { useAtOnce } from '../../../ui/at-once.ts'
import { Refusal } from '../../../ui/doing.tsx'
import { prefix } from '../../../ui/server.ts'
import { useBarred } from '../../may-write.ts'
import { featureTexts as words } from '../../texts/of-features.ts'
import { texts } from '../../texts/texts.ts'
import { CreatePlan, PlanActions } from './EditPlan.tsx'
import { Features } from './Features.tsx'
import { MoveButtons } from './MoveButtons.tsx'
import { useMoving } from './moving.ts'
import { Prices } from './Prices.tsx'

/** What a buyer can choose, with the prices of each plan, and the keys that the product is known by. */
export function Plans() {
  const { account, path, product } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  const { data: plans, error, refetch } = useQuery(plansQuery(path))
  const found = products?.find(({ id }) => id === product)
  const [isCreating, setCreating] = useCreating('catalogue')
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
            <Allowed group="catalogue">
              {(barred) => (
                <Button {...barred} onClick={() => setCreating(true)}>
                  {texts.createPlan}
                </Button>
              )}
            </Allowed>
          </>
        }
      />
      {isCreating ? <CreatePlan close={() => setCreating(false)} /> : null}
      <div className="two">
        <div className="stack">
          {error ? <Failure error={error} again={() => void refetch()} /> : null}
          {plans === undefined && !error ? <Loading /> : null}
          {plans?.length === 0 ? <Blank title={texts.noPlans} more={texts.noPlansMore} /> : null}
          {plans === undefined ? null : <Priced plans={plans} />}
        </div>
        {found ? <Known product={found} /> : null}
      </div>
      <Features plans={plans} />
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

function Priced({ plans }: { readonly plans: readonly Plan[] }) {
  const { path } = usePlace()
  const prices = useQueries({ queries: plans.map(({ id }) => pricesQuery(path, id)) })
  const isBarred = useBarred('catalogue') !== null
  const ordering = useAtOnce<readonly Plan[], readonly string[]>({
    queryKey: plansQuery(path).queryKey,
    shown: (all, ids) => ids.flatMap((id) => all.find((one) => one.id === id) ?? []),
    sent: (ids) => ({ method: 'PUT', path: `${path}/plans/order.json`, body: { ids: ids.join(',') } }),
    undo: (_, before) => ({ text: words.wasMoved, change: before.map(({ id }) => id) }),
  })
  const { idOf, move } = useMoving({ kind: 'plan', rows: plans, reorder: ordering.change })
  // The first one is the default, and stays so: of two plans none has another place.
  const sections = plans.map((plan, at) => (
    <section key={plan.id} className="stack">
      <div className="page-head">
        <div className="page-title">
          <h2>{plan.title}</h2>
          {plan.is_hidden ? <State word={texts.hidden} tone="plain" /> : null}
          {plan.trial_period ? (
            <span className="muted">{fill(texts.trialDays, { count: plan.trial_period })}</span>
          ) : null}
        </div>
        <div className="actions">
          {plans.length < 3 ? null : (
            <MoveButtons
              title={plan.title}
              idOf={(way) => idOf(way, plan.id)}
              isBarred={isBarred}
              up={at < 2 ? null : () => move(at, -1)}
              down={at === 0 || at === plans.length - 1 ? null : () => move(at, 1)}
            />
          )}
          <PlanActions plan={plan} />
        </div>
      </div>
      <Prices plan={plan} prices={prices[at]?.data} />
    </section>
  ))
  return (
    <>
      <Refusal problem={ordering.problem} />
      {sections}
    </>
  )
}
