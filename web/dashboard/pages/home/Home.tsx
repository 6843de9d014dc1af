import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import type { Overview } from '../../../../src/sales/overview/schema.ts'
import { amountText, numberText } from '../../format.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../../ui/server.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { Feed } from './Feed.tsx'
import { FirstSteps, useFirstSteps } from './FirstSteps.tsx'

interface Month {
  readonly month: string
  readonly currency: string
  readonly mrr: number
}

/** How each product does, with what recurs every month. */
export function Home() {
  const { account, accountPath, environment } = usePlace()
  const { data: products = [], error, refetch } = useQuery(productsQuery(account.developer_id))
  const first = useFirstSteps()
  // Asked for beside that, and shown after it.
  useQuery(overviewQuery(accountPath, environment))
  const pathOf = (id: string) => `${accountPath}/products/${id}`
  const seesSales = may(account, 'sales', 'read')
  const figures = useQueries({
    queries: products.map(({ id }) => ({
      queryKey: ['mrr', id, environment],
      enabled: seesSales,
      queryFn: () => ask<{ mrr: readonly Month[] }>(`${pathOf(id)}/figures/mrr.json`, { environment }),
    })),
  })
  const counts = useQueries({ queries: products.map(({ id }) => overviewQuery(pathOf(id), environment)) })
  const counted = products.map((product, at) => ({ product, counts: counts[at]?.data }))
  return (
    <>
      <PageHead title={texts.homeTitle} about={texts.homeAbout} />
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {first.isLoading ? <Loading lines={8} /> : null}
      {first.isLoading || error ? null : (
        <>
          <FirstSteps first={first} />
          <Now counted={counted} />
          <div className="cards">
            {counted.map((one, at) => (
              <Card key={one.product.id} {...one} months={figures[at]?.data?.mrr ?? []} />
            ))}
          </div>
          <Feed />
        </>
      )}
      <ApiCall path={`${accountPath}/overview.json`} query={{ environment }} />
    </>
  )
}

const overviewQuery = (accountPath: string, environment: 0 | 1) =>
  queryOptions({
    queryKey: ['overview', accountPath, environment],
    queryFn: () => ask<Overview>(`${accountPath}/overview.json`, { environment }),
  })

/** What waits for the seller, and how much there is of what. */
function Now({ counted }: { readonly counted: readonly CountedProduct[] }) {
  const { accountPath, environment } = usePlace()
  const { data, error, refetch } = useQuery(overviewQuery(accountPath, environment))
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  const waiting = NEEDED.flatMap(([label, name]) => {
    const count = data[name]
    return count === null || count === 0 ? [] : [{ label, count, name }]
  })
  return (
    <>
      <section className="panel card" aria-labelledby="needed">
        <h2 id="needed">{texts.needsYou}</h2>
        {waiting.length === 0 ? (
          <p className="muted">{texts.nothingNeeded}</p>
        ) : (
          <dl className="figures">
            {waiting.map(({ label, count, name }) => (
              <Figure
                key={label}
                label={label}
                value={<Needed name={name} count={count} counted={counted} />}
              />
            ))}
          </dl>
        )}
      </section>
      <section className="panel card" aria-labelledby="now">
        <h2 id="now">{texts.rightNow}</h2>
        <dl className="figures">
          {COUNTED.map(([label, name]) => {
            const count = data[name]
            return count === null ? null : (
              <Figure key={label} label={label} value={<Counted name={name} count={count} />} />
            )
          })}
        </dl>
      </section>
    </>
  )
}

/** What is needed, with the page of the product that has most of it, and what each has in its title. */
function Needed({ name, count, counted }: Needing) {
  const { account } = usePlace()
  const page = PAGES[name]
  const found = counted
    .map(({ product, counts }) => ({ product, has: counts?.[name] ?? 0 }))
    .filter(({ has }) => has > 0)
    .toSorted((a, b) => b.has - a.has)
  const [most] = found
  if (page === undefined || most === undefined) return <Counted name={name} count={count} />
  const [to, filter] = page
  return (
    <Link
      to={`/$account/$product/${to}`}
      params={{ account: account.developer_id, product: most.product.id }}
      search={{ filter }}
      title={found.map(({ product, has }) => `${product.title}: ${numberText(has)}`).join(' · ')}
    >
      {numberText(count)}
    </Link>
  )
}

interface Needing {
  readonly name: keyof Overview
  readonly count: number
  readonly counted: readonly CountedProduct[]
}

type Page = 'subscriptions' | 'webhooks' | 'reviews' | 'figures'

/** Where in a product that is done. */
const PAGES: Partial<Readonly<Record<keyof Overview, readonly [page: Page, filter?: string]>>> = {
  subscriptions_failing: ['subscriptions', 'active'],
  webhooks_failing: ['webhooks'],
  reviews_pending: ['reviews', 'hidden'],
  licenses_expiring: ['figures'],
}

/** What is counted, with the list of it over all products where there is one. */
function Counted({ name, count }: { readonly name: keyof Overview; readonly count: number }) {
  const { account } = usePlace()
  const params = { account: account.developer_id }
  const [to, filter] = LISTS[name] ?? []
  return to === undefined ? (
    numberText(count)
  ) : (
    <Link to={to} params={params} search={{ filter }}>
      {numberText(count)}
    </Link>
  )
}

const LISTS: Partial<Readonly<Record<keyof Overview, readonly [to: string, filter: string]>>> = {
  disputes_open: ['/$account/disputes', 'open'],
  trials_running: ['/$account/trials', 'running'],
}

const NEEDED = [
  [texts.subscriptionsFailing, 'subscriptions_failing'],
  [texts.disputesOpen, 'disputes_open'],
  [texts.webhooksFailing, 'webhooks_failing'],
  [texts.reviewsPending, 'reviews_pending'],
  [texts.licensesExpiring, 'licenses_expiring'],
] as const

const COUNTED = [
  [texts.customers, 'customers'],
  [texts.licensesActive, 'licenses_active'],
  [texts.activeInstalls, 'installs_active'],
  [texts.trialsRunning, 'trials_running'],
  [texts.subscriptions, 'subscriptions_active'],
  [texts.cartsOpen, 'carts_open'],
] as const

interface CountedProduct {
  readonly product: Product
  /** Undefined: not yet. */
  readonly counts: Overview | undefined
}

/** What is counted of a product, as of all of them above. */
const OF_PRODUCT = [
  [texts.activeInstalls, 'installs_active'],
  [texts.subscriptions, 'subscriptions_active'],
] as const

function Card({ product, counts, months }: CountedProduct & { readonly months: readonly Month[] }) {
  const { account, environment } = usePlace()
  const last = months.at(-1)?.month
  const now = months.filter(({ month }) => month === last)
  const params = { account: account.developer_id, product: product.id }
  const seesSales = may(account, 'sales', 'read')
  const recurring = now.map(({ mrr, currency }) => amountText(mrr, currency)).join(' · ')
  return (
    <section className="panel card">
      <h2>
        <Link to="/$account/$product/licenses" params={params}>
          {product.title}
        </Link>
      </h2>
      <dl>
        {seesSales ? <Figure label={texts.recurring} value={recurring || texts.none} /> : null}
        {OF_PRODUCT.map(([label, name]) =>
          counts?.[name] === null ? null : (
            <Figure key={label} label={label} value={counts ? numberText(counts[name] ?? 0) : texts.none} />
          ),
        )}
        {seesSales && environment === 0 ? (
          <Figure label={texts.purchases} value={numberText(product.total_purchases)} />
        ) : null}
      </dl>
    </section>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: ReactNode }) => (
  <div>
    <dt className="muted">{label}</dt>
    <dd className="number">{value}</dd>
  </div>
)
