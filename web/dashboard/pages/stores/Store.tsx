import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Store as Shown } from '../../../../src/catalogue/stores/schema.ts'
import { fill } from '../../../shared/language.ts'
import { FormPanel, type Field } from '../../form.tsx'
import { Copy, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Facts, Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { wayToPlans } from '../../ways.ts'
import { Keys } from '../keys/Keys.tsx'
import { DeleteStore } from './DeleteStore.tsx'
import { SHOWN, STORE_FIELDS } from './fields.ts'
import { sendersPath, sendersQuery } from './senders.ts'

const SENDERS: readonly Field[] = Object.entries(texts.sender).flatMap(([name, kind]) => [
  { name, label: kind, kind: 'email', empty: null } as const,
  { name: `${name}_name`, label: fill(texts.senderName, { kind }), empty: null } as const,
])

/** One store: what it is called and where it is, who its mails come from, and its products. */
export function Store() {
  const { accountPath } = usePlace()
  const { store = '' } = useParams({ strict: false })
  const own = `${accountPath}/stores/${store}`
  return (
    <One<Shown> title={texts.store} path={own} query={{ fields: SHOWN }}>
      {(found) => (
        <>
          <PageHead
            title={found.title}
            about={texts.store}
            actions={<DeleteStore store={found} own={own} />}
          />
          <div className="two">
            <div className="stack">
              <FormPanel
                title={texts.storeSettings}
                fields={STORE_FIELDS}
                before={found}
                group="catalogue"
                sent={(body) => ({ method: 'PUT', path: `${own}.json`, query: { fields: SHOWN }, body })}
              />
              <Senders own={own} />
            </div>
            <div className="stack">
              <Facts
                facts={[
                  { label: texts.created, value: <Time time={found.created} /> },
                  { label: texts.id, value: <Copy text={found.id} /> },
                ]}
              />
              <Keys of="store" own={own} publicKey={found.public_key} />
              <Products store={found.id} />
            </div>
          </div>
          <ApiCall path={`${own}.json`} query={{ fields: SHOWN }} />
        </>
      )}
    </One>
  )
}

/** Who its mails come from; of a store that has said nothing every field is empty. */
function Senders({ own }: { readonly own: string }) {
  const path = sendersPath(own)
  const { data, error, refetch } = useQuery(sendersQuery(own))
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <FormPanel
      title={texts.senders}
      about={texts.sendersMore}
      fields={SENDERS}
      isPaired
      before={data}
      group="catalogue"
      sent={(body) => ({ method: 'PUT', path, body })}
    />
  )
}

function Products({ store }: { readonly store: string }) {
  const { account } = usePlace()
  const { data = [] } = useQuery(productsQuery(account.developer_id))
  const own = data.filter(({ store_id: of }) => of === store)
  return (
    <section className="panel card">
      <h2>{texts.productsOfStore}</h2>
      {own.length === 0 ? <p className="muted">{texts.noProductsOfStore}</p> : null}
      <ul className="plain">
        {own.map(({ id, title }) => (
          <li key={id}>
            <Link {...wayToPlans({ account: account.developer_id, product: id })}>{title}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
