import { Button, Group } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Attempt, Delivery, Webhook as Shown } from '../../../../src/events/listeners/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { Copy, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { useInAddress } from '../../in-address.ts'
import { usePlace } from '../../place.ts'
import { useSwitch } from '../../switching.ts'
import { texts } from '../../texts/texts.ts'
import { SendAgain } from './Again.tsx'
import { AttemptDetails } from './AttemptDetails.tsx'
import { ATTEMPT_COLUMNS, typesText, WebhookState } from './columns.tsx'
import { DELIVERY } from './delivery-columns.tsx'
import { Fared } from './Fared.tsx'
import { Rotate } from './Rotate.tsx'
import { useSettling } from './settling.ts'
import { Verify } from './Verify.tsx'
import { words } from './words.ts'

/** One listener: what it was sent, how it answered, and the way to send that again. */
export function Webhook() {
  const { path } = usePlace()
  const { webhook = '' } = useParams({ strict: false })
  const own = `${path}/webhooks/${webhook}`
  const settle = useSettling(own)
  return (
    <One<Shown> title={texts.webhook} path={own}>
      {(found) => (
        <>
          <Head webhook={found} own={own} settle={settle} />
          <div className="two">
            <div className="stack">
              <Fared own={own} />
              <Waiting own={own} />
              <Attempts own={own} settle={settle} />
            </div>
            <Facts
              facts={[
                { label: texts.address, value: <Copy text={found.url} /> },
                { label: texts.types, value: typesText(found) },
                { label: texts.failuresInARow, value: found.failures },
                { label: texts.failingSince, value: <Time time={found.failing_since} /> },
                { label: texts.created, value: <Time time={found.created} /> },
                { label: texts.id, value: <Copy text={found.id} /> },
              ]}
            />
          </div>
          <Verify />
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

interface OfWebhook {
  /** What the calls about it begin with. */
  readonly own: string
}

interface Sending extends OfWebhook {
  /** Something is on its way. */
  readonly settle: () => void
}

function Head({ webhook, own, settle }: Sending & { readonly webhook: Shown }) {
  const [said, setSaid] = useState('')
  const [open, setOpen] = useState<'rotate' | 'again' | null>(null)
  const close = () => setOpen(null)
  const testing = useDoing(() => {
    setSaid(texts.testSent)
    settle()
  })
  const switching = useSwitch<Shown>({
    own,
    said: ({ is_active: isOn }) => `${webhook.url}: ${isOn ? texts.active : texts.paused}`,
  })
  const problem = testing.problem ?? switching.problem
  return (
    <>
      <PageHead
        title={webhook.url}
        state={<WebhookState {...webhook} />}
        actions={
          <Allowed group="events">
            {(barred) => (
              <>
                <Button
                  {...barred}
                  variant="default"
                  loading={testing.isBusy}
                  onClick={() => testing.send({ method: 'POST', path: `${own}/test.json` })}
                >
                  {texts.sendTest}
                </Button>
                <Button {...barred} variant="default" onClick={() => setOpen('again')}>
                  {words.again}
                </Button>
                <Button {...barred} variant="default" onClick={() => setOpen('rotate')}>
                  {texts.rotateSecret}
                </Button>
                <Button
                  {...barred}
                  variant="default"
                  onClick={() => switching.change({ is_active: !webhook.is_active })}
                >
                  {webhook.is_active ? texts.pause : texts.resume}
                </Button>
              </>
            )}
          </Allowed>
        }
      />
      <Refusal problem={problem} />
      <Said text={said} />
      {open === 'rotate' ? <Rotate own={own} close={close} /> : null}
      {open === 'again' ? <SendAgain own={own} close={close} sent={settle} /> : null}
    </>
  )
}

const WAITING = [DELIVERY.event, DELIVERY.attempts, DELIVERY.next]

/** What waits to be sent, and when that is tried next. */
function Waiting({ own }: OfWebhook) {
  const { environment } = usePlace()
  return (
    <Part<Delivery>
      title={words.waiting}
      path={`${own}/deliveries.json`}
      items="deliveries"
      query={{ state: 'pending', environment }}
      columns={WAITING}
      most={10}
      empty={words.nothingWaits}
    />
  )
}

/** What it was sent, with the way to send that once more, whatever became of it so far. */
function Attempts({ own, settle }: Sending) {
  const { environment } = usePlace()
  const [said, setSaid] = useState('')
  const [open, setOpen] = useInAddress('open')
  const doing = useDoing(() => {
    setSaid(texts.sentAgain)
    settle()
  })
  return (
    <div className="stack">
      <Refusal problem={doing.problem} />
      <Said text={doing.problem ? '' : said} />
      <Part<Attempt>
        title={texts.attempts}
        most={25}
        path={`${own}/attempts.json`}
        items="attempts"
        query={{ environment }}
        columns={ATTEMPT_COLUMNS}
        actions={(attempt) => (
          <Group className="actions" gap={8}>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${words.details}: #${attempt.id}`}
              onClick={() => setOpen(attempt.id)}
            >
              {words.details}
            </Button>
            <Allowed group="events" isQuiet>
              {(barred) => (
                <Button
                  {...barred}
                  variant="default"
                  size="compact-sm"
                  aria-label={`${texts.sendAgain}: #${attempt.event_id}`}
                  onClick={() =>
                    doing.send({
                      method: 'POST',
                      path: `${own}/resend.json`,
                      body: { event_id: Number(attempt.event_id) },
                    })
                  }
                >
                  {texts.sendAgain}
                </Button>
              )}
            </Allowed>
            {open === attempt.id ? <AttemptDetails attempt={attempt} close={() => setOpen('')} /> : null}
          </Group>
        )}
        empty={texts.noAttempts}
      />
    </div>
  )
}
