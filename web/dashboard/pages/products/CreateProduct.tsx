import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import type { Store } from '../../../../src/catalogue/stores/schema.ts'
import { CREATE } from '../../creating.ts'
import { FormDialog, type Field } from '../../form.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../../ui/server.ts'
import { productTexts } from '../../texts/of-products.ts'
import { texts } from '../../texts/texts.ts'
import { NEW_PRODUCT_FIELDS } from './fields.ts'

interface Creating {
  readonly close: () => void
}

/** Creates a product, an add-on of one or a bundle of some, in a store. */
export function CreateProduct({ close }: Creating) {
  const { account } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  return products ? <NewProduct products={products} close={close} /> : null
}

function NewProduct({ products, close }: Creating & { readonly products: readonly Product[] }) {
  const { account, accountPath } = usePlace()
  const navigate = useNavigate()
  const [isFirst] = useState(products.length === 0)
  const path = `${accountPath}/stores.json`
  const { data: stores } = useQuery({
    queryKey: [path, 'choice'],
    queryFn: () => ask<{ readonly stores: readonly Store[] }>(path, { count: 50, fields: 'id,title' }),
  })
  const open = ({ id }: Product) => {
    const params = { account: account.developer_id, product: id }
    // What one sells for the first time wants a plan next; later ones are often like one that is there.
    if (isFirst) void navigate({ to: '/$account/$product/plans', params, hash: CREATE })
    else void navigate({ to: '/$account/$product/settings', params })
  }
  return (
    <FormDialog<Product>
      title={texts.createProduct}
      fields={[
        ...NEW_PRODUCT_FIELDS,
        ...inStore(stores?.stores ?? []),
        ...(isFirst ? [] : amongProducts(products)),
      ]}
      before={{}}
      act={texts.createProduct}
      sent={(body) => ({
        method: 'POST',
        path: `${accountPath}/products.json`,
        query: { fields: 'id' },
        body,
      })}
      close={close}
      done={open}
    />
  )
}

/** Where there is one alone it is that. */
const inStore = (stores: readonly Store[]): readonly Field[] =>
  stores.length < 2
    ? []
    : [
        {
          name: 'store_id',
          label: texts.store,
          kind: 'choice',
          empty: 'left out',
          options: stores.map(({ id, title }) => [id, title]),
        },
      ]

/** What it is beside the products that are there. */
function amongProducts(products: readonly Product[]): readonly Field[] {
  const titled = products.map(({ id, title }) => [id, title] as const)
  return [
    {
      name: 'parent_plugin_id',
      label: productTexts.productParent,
      kind: 'choice',
      empty: 'left out',
      options: [['', productTexts.productNoParent], ...titled],
    },
    { name: 'is_bundle', label: productTexts.productIsBundle, kind: 'flag' },
    { name: 'members', label: productTexts.productMembers, kind: 'many', empty: 'left out', options: titled },
  ]
}
