import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import type { Attempt } from '../../../../src/events/listeners/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { Facts, Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { NumberLink } from '../../links.tsx'
import { Time } from '../../format.tsx'
import { Failure } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { Answer } from './columns.tsx'
import { words } from './words.ts'

interface Shown {
  readonly attempt: Attempt
  readonly close: () => void
}

/** One attempt: what was sent, what was answered, and when the next one is. */
export function AttemptDetails({ attempt, close }: Shown) {
  useFocusBack(true)
  const { event_id: id, answer } = attempt
  return (
    <Modal.Root opened onClose={close} radius={10} size={640}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{`${words.attempt} #${attempt.id}`}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body className="stack">
          <Facts
            facts={[
              { label: texts.event, value: <NumberLink kind="event" id={id} /> },
              { label: texts.answer, value: <Answer {...attempt} /> },
              { label: texts.happened, value: <Time time={attempt.created} /> },
              { label: texts.took, value: fill(texts.milliseconds, { count: attempt.duration_ms }) },
              { label: texts.nextAttempt, value: <Time time={attempt.next_attempt} /> },
            ]}
          />
          <section className="stack">
            <h3>{words.answered}</h3>
            {answer === null || answer === '' ? (
              <p className="note muted">{words.noBody}</p>
            ) : (
              <>
                <p className="muted">{words.answeredMore}</p>
                <Text text={answer} />
              </>
            )}
          </section>
          <Sent id={id} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Sent({ id }: { readonly id: string }) {
  const { path } = usePlace()
  const own = `${path}/events/${id}`
  const { data, error, refetch } = useQuery({
    queryKey: [own],
    queryFn: () => ask<EventLog>(`${own}.json`),
  })
  return (
    <section className="stack">
      <h3>{words.sent}</h3>
      <p className="muted">{words.sentMore}</p>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={2} />
      ) : (
        <Text text={JSON.stringify(data, null, 2)} />
      )}
    </section>
  )
}

const Text = ({ text }: { readonly text: string }) => (
  <pre className="codes" tabIndex={0}>
    <code>{text}</code>
  </pre>
)
