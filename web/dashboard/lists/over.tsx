import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../place.ts'
import { productsQuery } from '../products.ts'
import { texts } from '../texts/texts.ts'
import type { Column } from '../../ui/Rows.tsx'

/** The title of a product of the account by its id, once it is known. */
function ProductTitle({ id }: { readonly id: string }) {
  const { account } = usePlace()
  const { data } = useQuery(productsQuery(account.developer_id))
  return data?.find((one) => one.id === id)?.title ?? `#${id}`
}

interface OfProduct {
  readonly plugin_id: string
}

/**
 * What a list that stands over all products and in one of them has of each: the path that its calls begin with, the
 * column that names the product, and the button from one to all.
 */
export function useOver<Row extends OfProduct>(page: 'trials' | 'disputes') {
  const { account, accountPath, path, product } = usePlace()
  const isOfAll = product === ''
  const column: Column<Row> = { label: texts.product, show: ({ plugin_id: id }) => <ProductTitle id={id} /> }
  return {
    isOfAll,
    path: isOfAll ? accountPath : path,
    columns: isOfAll ? [column] : [],
    actions: isOfAll ? null : (
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link {...props} to={`/$account/${page}`} params={{ account: account.developer_id }} />
        )}
      >
        {texts.allProducts}
      </Button>
    ),
  }
}
