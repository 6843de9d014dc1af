import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Store } from '../../../../src/catalogue/stores/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { FormDialog } from '../../form.tsx'
import { numberText } from '../../format.tsx'
import { BY_TITLE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { wayToStore } from '../../ways.ts'
import { SHOWN, STORE_FIELDS } from './fields.ts'

const COLUMNS: readonly Column<Store>[] = [
  { label: texts.store, show: ({ title }) => title },
  { label: texts.address, show: ({ url }) => url || texts.none },
  { label: texts.products, show: ({ id }) => <ProductCount store={id} />, isNumber: true },
]

function ProductCount({ store }: { readonly store: string }) {
  const { account } = usePlace()
  const { data } = useQuery(productsQuery(account.developer_id))
  return data ? numberText(data.filter(({ store_id: of }) => of === store).length) : texts.none
}

export function Stores() {
  const { account, accountPath } = usePlace()
  const navigate = useNavigate()
  const [isOpening, setOpening] = useCreating('catalogue')
  const way = (id: string) => wayToStore(account.developer_id, id)
  return (
    <>
      <List<Store>
        title={texts.stores}
        about={texts.storesAbout}
        create={
          <Allowed group="catalogue">
            {(barred) => (
              <Button {...barred} onClick={() => setOpening(true)}>
                {texts.openStore}
              </Button>
            )}
          </Allowed>
        }
        path={`${accountPath}/stores.json`}
        items="stores"
        hasSpan
        sorts={BY_TITLE}
        query={{ fields: SHOWN }}
        columns={COLUMNS}
        wayTo={({ id }) => way(id)}
        making={{ body: { title: 'My store' } }}
        empty={[texts.noStores, texts.noStoresMore]}
      />
      {isOpening ? (
        <FormDialog<Store>
          title={texts.openStore}
          fields={STORE_FIELDS}
          before={{}}
          act={texts.openStore}
          sent={(body) => ({ method: 'POST', path: `${accountPath}/stores.json`, body })}
          close={() => setOpening(false)}
          done={({ id }) => void navigate(way(id))}
        />
      ) : null}
    </>
  )
}
