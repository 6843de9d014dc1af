import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Attempt, Webhook as Shown } from '../../../../src/events/listeners/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { Copy, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { SigningSecret } from './AddWebhook.tsx'
import { ATTEMPT_COLUMNS, typesText, WebhookState } from './columns.tsx'

/** One listener: what it was sent, how it answered, and the way to send that again. */
export function Webhook() {
  const { path } = usePlace()
  const { webhook = '' } = useParams({ strict: false })
  const own = `${path}/webhooks/${webhook}`
  return (
    <One<Shown> title={texts.webhook} path={own}>
      {(found) => (
        <>
          <Head webhook={found} own={own} />
          <div className="two">
            <Attempts own={own} />
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

function Head({ webhook, own }: OfWebhook & { readonly webhook: Shown }) {
  const [said, setSaid] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const testing = useDoing(() => setSaid(texts.testSent))
  const switching = useDoing(() => setSaid(texts.saved))
  const rotating = useDoing<{ readonly secret: string }>((made) => setSecret(made.secret))
  const problem = testing.problem ?? switching.problem ?? rotating.problem
  const change = { method: 'PUT', path: `${own}.json`, body: { is_active: !webhook.is_active } } as const
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
                <Button
                  {...barred}
                  variant="default"
                  loading={rotating.isBusy}
                  onClick={() => rotating.send({ method: 'POST', path: `${own}/secret.json`, body: {} })}
                >
                  {texts.rotateSecret}
                </Button>
                <Button
                  {...barred}
                  variant="default"
                  loading={switching.isBusy}
                  onClick={() => switching.send(change)}
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
      {secret === null ? null : <SigningSecret secret={secret} close={() => setSecret(null)} />}
    </>
  )
}

/** What it was sent, with the way to send that once more, whatever became of it so far. */
function Attempts({ own }: OfWebhook) {
  const { wayTo } = usePlace()
  const [said, setSaid] = useState('')
  const doing = useDoing(() => setSaid(texts.sentAgain))
  return (
    <div className="stack">
      <Refusal problem={doing.problem} />
      <Said text={doing.problem ? '' : said} />
      <Part<Attempt>
        title={texts.attempts}
        path={`${own}/attempts.json`}
        items="attempts"
        columns={ATTEMPT_COLUMNS}
        wayTo={({ event_id }) => wayTo('event', event_id)}
        actions={({ event_id: event }) => (
          <Allowed group="events" isQuiet>
            {(barred) => (
              <Button
                {...barred}
                variant="default"
                size="compact-sm"
                aria-label={`${texts.sendAgain}: #${event}`}
                onClick={() =>
                  doing.send({
                    method: 'POST',
                    path: `${own}/resend.json`,
                    body: { event_id: Number(event) },
                  })
                }
              >
                {texts.sendAgain}
              </Button>
            )}
          </Allowed>
        )}
        empty={texts.noAttempts}
      />
    </div>
  )
}
