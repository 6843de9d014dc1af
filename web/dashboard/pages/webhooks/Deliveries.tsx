import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import { State, Time } from '../../format.tsx'
import { NumberLink } from '../../links.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace, type ListSearch } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { DELIVERY_COLUMNS } from './columns.tsx'
import { words } from './words.ts'

const STATES = ['pending', 'error', 'canceled', 'processed'] as const
const TONES = { pending: 'warning', error: 'bad', canceled: 'plain', processed: 'good' } as const

const [event, ...others] = DELIVERY_COLUMNS
const COLUMNS: readonly Column<Delivery>[] = [
  ...(event ? [event] : []),
  { label: words.type, show: ({ type }) => type },
  {
    label: texts.state,
    show: ({ state }) => <State word={words.deliveryStates[state]} tone={TONES[state]} />,
  },
  { label: texts.webhook, show: ({ webhook_id: id }) => <NumberLink kind="webhook" id={id} /> },
  ...others,
  { label: texts.created, show: ({ created }) => <Time time={created} /> },
]

/** What all webhooks of the product are sent, and how that stands. */
export function Deliveries() {
  const { account, product, path, environment } = usePlace()
  const of = { account: account.developer_id, product }
  const { q, filter } = useSearch({ strict: false }) as ListSearch
  return (
    <List<Delivery>
      title={words.deliveries}
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
      filters={STATES.map((state) => [state, words.deliveryStates[state]])}
      search={words.typeOfEvent}
      hasSpan
      columns={COLUMNS}
      making={null}
      empty={[words.noDeliveries, words.noDeliveriesMore]}
    />
  )
}
