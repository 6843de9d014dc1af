import { useQueries, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Copy } from '../../format.tsx'
import { ApiCall, Empty, Failure, PageHead } from '../../parts.tsx'
import { Facts, Loading } from '../../../ui/parts.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { plansQuery, pricesQuery, productsQuery } from '../../products.ts'
import { prefix } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { CreatePlan } from './EditPlan.tsx'
import { Features } from './Features.tsx'
import { Priced, type PricesOf } from './Priced.tsx'

/** What a buyer can choose, with the prices of each plan, and the keys that the product is known by. */
export function Plans() {
  const { account, path, product } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  const { data: plans, error, refetch } = useQuery(plansQuery(path))
  const prices = useQueries({ queries: (plans ?? []).map(({ id }) => pricesQuery(path, id)) })
  const found = products?.find(({ id }) => id === product)
  const [isCreating, setCreating] = useCreating('catalogue')
  const create = <Create open={() => setCreating(true)} />
  // All at once, so that nothing moves.
  const isThere = plans !== undefined && prices.every(({ isPending }) => !isPending)
  return (
    <>
      <Top product={found} create={plans?.length === 0 ? null : create} />
      {isCreating ? <CreatePlan close={() => setCreating(false)} /> : null}
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {isThere || error ? null : <Loading lines={8} />}
      {isThere ? (
        <There plans={plans} prices={prices.map(({ data }) => data)} product={found} create={create} />
      ) : null}
      <ApiCall path={`${path}/plans.json`} />
    </>
  )
}

interface OfThere extends OfCreate {
  readonly plans: readonly Plan[]
  /** Of each plan. */
  readonly prices: readonly PricesOf[]
  readonly product: Product | undefined
}

const There = ({ plans, prices, product, create }: OfThere) => (
  <>
    <div className="two">
      <div className="stack">
        {plans.length === 0 ? <NoPlan create={create} /> : null}
        <Priced plans={plans} prices={prices} />
      </div>
      {product ? <Known product={product} /> : null}
    </div>
    <Features plans={plans} />
  </>
)

const Create = ({ open }: { readonly open: () => void }) => (
  <Allowed group="catalogue">
    {(barred) => (
      <Button {...barred} onClick={open}>
        {texts.createPlan}
      </Button>
    )}
  </Allowed>
)

interface OfCreate {
  /** The button that creates a plan. */
  readonly create: ReactNode
}

function Top({ product: found, create }: OfCreate & Pick<OfThere, 'product'>) {
  const { product } = usePlace()
  const links = [
    [texts.designCheckout, `designer?product_id=${product}`],
    [texts.openCheckout, `product/${product}/`],
  ] as const
  return (
    <PageHead
      title={found?.title ?? texts.plans}
      about={texts.plans}
      actions={
        <>
          {links.map(([words, page]) => (
            <Button
              key={page}
              component="a"
              variant="default"
              href={`${prefix}/checkout/${page}`}
              target="_blank"
            >
              {words}
            </Button>
          ))}
          {create}
        </>
      }
    />
  )
}

function NoPlan({ create }: OfCreate) {
  const { path } = usePlace()
  return (
    <Empty
      title={texts.noPlans}
      more={texts.noPlansMore}
      making={{ path: `${path}/plans.json`, body: { title: 'Pro' } }}
    >
      {create}
    </Empty>
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
