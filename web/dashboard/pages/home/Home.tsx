import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { numberText, amountText } from '../../format.tsx'
import { ApiCall, Failure, Loading, PageHead } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../server.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'

interface Month {
  readonly month: string
  readonly currency: string
  readonly mrr: number
}

/** How each product does, with what recurs every month. */
export function Home() {
  const { account, accountPath, environment } = usePlace()
  const { data: products, error, refetch } = useQuery(productsQuery(account.developer_id))
  const seesSales = may(account, 'sales', 'read')
  const figures = useQueries({
    queries: (products ?? []).map(({ id }) => ({
      queryKey: ['mrr', id, environment],
      enabled: seesSales,
      queryFn: () =>
        ask<{ mrr: readonly Month[] }>(`${accountPath}/products/${id}/figures/mrr.json`, { environment }),
    })),
  })
  return (
    <>
      <PageHead title={texts.homeTitle} about={texts.homeAbout} />
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {products === undefined && !error ? <Loading /> : null}
      {products?.length === 0 ? <NoProducts /> : null}
      <div className="cards">
        {products?.map((product, at) => (
          <Card key={product.id} product={product} months={figures[at]?.data?.mrr ?? []} />
        ))}
      </div>
      <ApiCall path={`${accountPath}/products.json`} />
    </>
  )
}

const NoProducts = () => (
  <div className="panel blank">
    <p>
      <strong>{texts.noProducts}</strong>
    </p>
    <p className="muted">{texts.noProductsMore}</p>
  </div>
)

function Card({ product, months }: { readonly product: Product; readonly months: readonly Month[] }) {
  const { account } = usePlace()
  const last = months.at(-1)?.month
  const now = months.filter(({ month }) => month === last)
  const params = { account: account.developer_id, product: product.id }
  const recurring = now.map(({ mrr, currency }) => amountText(mrr, currency)).join(' · ')
  return (
    <section className="panel card">
      <h2>
        <Link to="/$account/$product/licenses" params={params}>
          {product.title}
        </Link>
      </h2>
      <dl>
        {may(account, 'sales', 'read') ? (
          <Figure label={texts.recurring} value={recurring || texts.none} />
        ) : null}
        <Figure label={texts.activeInstalls} value={numberText(product.active_installs_count)} />
        <Figure label={texts.subscriptions} value={numberText(product.total_subscriptions)} />
        <Figure label={texts.purchases} value={numberText(product.total_purchases)} />
      </dl>
    </section>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt className="muted">{label}</dt>
    <dd className="number">{value}</dd>
  </div>
)
