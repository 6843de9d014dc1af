import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import type { Store } from '../../../../src/catalogue/stores/schema.ts'
import { FormDialog, type Field } from '../../form.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { NEW_PRODUCT_FIELDS } from './fields.ts'

/** Creates a product, an add-on of one or a bundle of some, in a store. */
export function CreateProduct({ close }: { readonly close: () => void }) {
  const { account, accountPath } = usePlace()
  const navigate = useNavigate()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  const path = `${accountPath}/stores.json`
  const { data: stores } = useQuery({
    queryKey: [path, 'choice'],
    queryFn: () => ask<{ readonly stores: readonly Store[] }>(path, { count: 50, fields: 'id,title' }),
  })
  const titled = products.map(({ id, title }) => [id, title] as const)
  const fields: readonly Field[] = [
    ...NEW_PRODUCT_FIELDS,
    {
      name: 'store_id',
      label: texts.store,
      kind: 'choice',
      empty: 'left out',
      options: (stores?.stores ?? []).map(({ id, title }) => [id, title]),
    },
    {
      name: 'parent_plugin_id',
      label: texts.productParent,
      kind: 'choice',
      empty: 'left out',
      options: [['', texts.productNoParent], ...titled],
    },
    { name: 'is_bundle', label: texts.productIsBundle, kind: 'flag' },
    { name: 'members', label: texts.productMembers, kind: 'many', empty: 'left out', options: titled },
  ]
  return (
    <FormDialog<Product>
      title={texts.createProduct}
      fields={fields}
      before={{}}
      act={texts.createProduct}
      sent={(body) => ({
        method: 'POST',
        path: `${accountPath}/products.json`,
        query: { fields: 'id' },
        body,
      })}
      close={close}
      done={({ id }) =>
        void navigate({
          to: '/$account/$product/settings',
          params: { account: account.developer_id, product: id },
        })
      }
    />
  )
}
