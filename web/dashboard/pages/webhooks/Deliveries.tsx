import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import { Time } from '../../format.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace, type ListSearch } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { DELIVERY } from './delivery-columns.tsx'
import { deliveryWords } from './delivery-words.ts'
import { words } from './words.ts'

const STATES = ['pending', 'error', 'canceled', 'processed'] as const
const COLUMNS: readonly Column<Delivery>[] = [
  DELIVERY.event,
  { label: words.type, show: ({ type }) => type },
  DELIVERY.state,
  DELIVERY.listener,
  DELIVERY.attempts,
  DELIVERY.next,
  { label: texts.created, show: ({ created }) => <Time time={created} /> },
]

/** What all webhooks of the product are sent, and how that stands. */
export function Deliveries() {
  const { account, product, path, environment } = usePlace()
  const of = { account: account.developer_id, product }
  const { q, filter } = useSearch({ strict: false }) as ListSearch
  return (
    <List<Delivery>
      title={deliveryWords.deliveries}
      about={words.deliveriesAbout}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/$account/$product/webhooks" params={of} />}
        >
          {texts.webhooks}
        </Button>
      }
      path={`${path}/deliveries.json`}
      items="deliveries"
      query={{ environment, search: undefined, type: q, filter: undefined, state: filter }}
      filters={STATES.map((state) => [state, deliveryWords.states[state]])}
      search={words.typeOfEvent}
      hasSpan
      sorts={BY_AGE}
      columns={COLUMNS}
      making={null}
      empty={[words.noDeliveries, words.noDeliveriesMore]}
    />
  )
}
