import { Button } from '@mantine/core'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { numberText, State } from '../../format.tsx'
import { BY_TITLE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { wayToPlans } from '../../ways.ts'
import { CreateProduct } from './CreateProduct.tsx'

const COLUMNS: readonly Column<Product>[] = [
  { label: texts.product, show: ({ title }) => title },
  {
    label: texts.state,
    show: ({ is_released }) =>
      is_released ? <State word={texts.released} tone="good" /> : <State word={texts.hidden} tone="plain" />,
  },
]

/** What a product counts of what is live, which the sandbox does not show. */
const LIVE_COLUMNS: readonly Column<Product>[] = [
  ...COLUMNS,
  { label: texts.activeInstalls, show: (one) => numberText(one.active_installs_count), isNumber: true },
]

/** And what only those are answered who may see what is sold. */
const SALES_COLUMNS: readonly Column<Product>[] = [
  ...LIVE_COLUMNS,
  { label: texts.subscriptions, show: (one) => numberText(one.total_subscriptions), isNumber: true },
  { label: texts.purchases, show: (one) => numberText(one.total_purchases), isNumber: true },
]

export function Products() {
  const { account, accountPath, environment } = usePlace()
  const [isCreating, setCreating] = useCreating('catalogue')
  const live = may(account, 'sales', 'read') ? SALES_COLUMNS : LIVE_COLUMNS
  return (
    <>
      <List<Product>
        title={texts.products}
        about={texts.productsAbout}
        create={
          <Allowed group="catalogue">
            {(barred) => (
              <Button {...barred} onClick={() => setCreating(true)}>
                {texts.createProduct}
              </Button>
            )}
          </Allowed>
        }
        path={`${accountPath}/products.json`}
        items="plugins"
        hasSpan
        sorts={BY_TITLE}
        columns={environment === 0 ? live : COLUMNS}
        wayTo={({ id }) => wayToPlans({ account: account.developer_id, product: id })}
        making={{ body: { title: texts.stepTitle } }}
        empty={[texts.noProducts, texts.noProductsMore]}
      />
      {isCreating ? <CreateProduct close={() => setCreating(false)} /> : null}
    </>
  )
}
