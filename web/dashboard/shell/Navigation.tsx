import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { productsQuery, useChosenProduct } from '../products.ts'
import { sessionQuery } from '../session.ts'
import { texts } from '../texts/texts.ts'

const GROUPS = [
  [
    null,
    [
      ['customers', texts.customers],
      ['licenses', texts.licenses],
      ['installs', texts.installs],
      ['trials', texts.trials],
      ['explain', texts.explain],
      ['figures', texts.figures],
    ],
  ],
  [
    texts.sales,
    [
      ['subscriptions', texts.subscriptions],
      ['payments', texts.payments],
      ['disputes', texts.disputes],
      ['carts', texts.carts],
      ['coupons', texts.coupons],
    ],
  ],
  [
    texts.catalogue,
    [
      ['plans', texts.plans],
      ['reviews', texts.reviews],
      ['settings', texts.productSettings],
      ['versions', texts.versions],
    ],
  ],
  [
    texts.developers,
    [
      ['events', texts.events],
      ['webhooks', texts.webhooks],
      ['mails', texts.mails],
      ['sandbox', texts.sandbox],
    ],
  ],
] as const satisfies readonly (readonly [string | null, readonly (readonly [string, string])[]])[]

/** What is about the account itself. */
const OF_ACCOUNT = [
  ['stores', texts.stores],
  ['taxes', texts.taxes],
  ['bank-accounts', texts.bankAccounts],
  ['tokens', texts.tokens],
  ['team', texts.team],
  ['imports', texts.imports],
  ['exports', texts.exports],
  ['audit', texts.audit],
  ['server', texts.server],
] as const satisfies readonly (readonly [string, string])[]

/** Where a page of the menu leads to that does not stand below it. */
const LEADS_TO: Readonly<Record<string, string>> = { mails: 'mail-texts' }

/** The account and the product that the pages are about, and those pages. */
export function Navigation() {
  const { account = '' } = useParams({ strict: false })
  const { data: products, error } = useQuery(productsQuery(account))
  const chosen = useChosenProduct()
  const open = useLocation().pathname.split('/')
  // What stands below the pages of a product would move when these are there.
  const isKnown = chosen !== undefined || products !== undefined || error !== null
  return (
    <nav aria-label={texts.menu}>
      <Accounts account={account} />
      <ul>
        <li>
          <Link to="/$account" params={{ account }} activeOptions={{ exact: true }}>
            {texts.home}
          </Link>
        </li>
        <li>
          <Link to="/$account/products" params={{ account }}>
            {texts.products}
          </Link>
        </li>
      </ul>
      {chosen === undefined ? null : (
        <>
          <Products account={account} product={chosen} />
          {GROUPS.map(([title, pages]) => (
            <section key={title ?? ''}>
              {title === null ? null : <h2>{title}</h2>}
              <ul>
                {pages.map(([page, label]) => (
                  <li key={page}>
                    <Link
                      to={`/$account/$product/${page}`}
                      params={{ account, product: chosen }}
                      {...(page === 'sandbox' && { search: { mode: 'test' } })}
                      {...(open.includes(LEADS_TO[page] ?? '-') && { 'aria-current': 'page' })}
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
      {isKnown ? <OfAccount account={account} /> : null}
    </nav>
  )
}

const OfAccount = ({ account }: { readonly account: string }) => (
  <section>
    <h2>{texts.account}</h2>
    <ul>
      {OF_ACCOUNT.map(([page, label]) => (
        <li key={page}>
          <Link to={`/$account/${page}`} params={{ account }}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </section>
)

function Accounts({ account }: { readonly account: string }) {
  const { data: session } = useQuery(sessionQuery)
  const navigate = useNavigate()
  if (!session || session.accounts.length < 2) return null
  return (
    <label className="switcher">
      <span>{texts.account}</span>
      <select
        value={account}
        onChange={({ target }) => void navigate({ to: '/$account', params: { account: target.value } })}
      >
        {session.accounts.map(({ developer_id, name }) => (
          <option key={developer_id} value={developer_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Products({ account, product }: { readonly account: string; readonly product: string }) {
  const { data: products = [] } = useQuery(productsQuery(account))
  const navigate = useNavigate()
  const open = (next: string) =>
    void navigate({ to: '/$account/$product/licenses', params: { account, product: next } })
  return (
    <label className="switcher">
      <span>{texts.product}</span>
      <select value={product} onChange={({ target }) => open(target.value)}>
        {products.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
