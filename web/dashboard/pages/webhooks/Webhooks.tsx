import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Webhook } from '../../../../src/events/listeners/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { AddWebhook } from './AddWebhook.tsx'
import { typesText, WebhookState } from './columns.tsx'
import { deliveryWords } from './delivery-words.ts'

const COLUMNS: readonly Column<Webhook>[] = [
  { label: texts.address, show: ({ url }) => url },
  { label: texts.state, show: WebhookState },
  { label: texts.types, show: typesText },
]

export function Webhooks() {
  const { account, product, path, wayTo } = usePlace()
  const of = { account: account.developer_id, product }
  const [isAdding, setAdding] = useCreating('events')
  return (
    <>
      <List<Webhook>
        title={texts.webhooks}
        about={texts.webhooksAbout}
        create={
          <Allowed group="events">
            {(barred) => (
              <Button {...barred} onClick={() => setAdding(true)}>
                {texts.addWebhook}
              </Button>
            )}
          </Allowed>
        }
        actions={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/$account/$product/webhooks/deliveries" params={of} />
            )}
          >
            {deliveryWords.deliveries}
          </Button>
        }
        path={`${path}/webhooks.json`}
        items="webhooks"
        hasSpan
        sorts={BY_AGE}
        columns={COLUMNS}
        wayTo={({ id }) => wayTo('webhook', id)}
        making={{ body: { url: 'https://hooks.example.com' } }}
        empty={[texts.noWebhooks, texts.noWebhooksMore]}
      />
      {isAdding ? <AddWebhook close={() => setAdding(false)} /> : null}
    </>
  )
}
