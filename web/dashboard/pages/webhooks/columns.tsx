import type { Attempt, Webhook } from '../../../../src/events/listeners/schema.ts'
import { fill } from '../../../shared/language.ts'
import { momentOf } from '../../../ui/time.ts'
import { State, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { NumberLink } from '../../links.tsx'
import { texts } from '../../texts/texts.ts'

type Known = Pick<Webhook, 'is_active' | 'off_reason' | 'failures'>

/** In one word whether a listener is told of what happens. */
export function WebhookState({ is_active, off_reason, failures }: Known) {
  if (off_reason !== null) return <State word={texts.switchedOff} tone="bad" />
  if (!is_active) return <State word={texts.paused} tone="plain" />
  if (failures > 0) return <State word={texts.failing} tone="warning" />
  return <State word={texts.running} tone="good" />
}

export const typesText = ({ types }: Pick<Webhook, 'types'>): string =>
  types === null ? texts.allTypes : types.join(', ')

/** Anything but 2xx was no success. */
export function Answer({ status, error }: Attempt) {
  if (status === null) return <State word={error ?? texts.noAnswer} tone="bad" />
  return <State word={String(status)} tone={status >= 200 && status < 300 ? 'good' : 'bad'} />
}

const aheadOf = (time: string | null) =>
  time !== null && momentOf(time).getTime() > Date.now() ? time : null

export const ATTEMPT_COLUMNS: readonly Column<Attempt>[] = [
  { label: texts.event, show: ({ event_id: id }) => <NumberLink kind="event" id={id} /> },
  { label: texts.answer, show: Answer },
  { label: texts.happened, show: ({ created }) => <Time time={created} /> },
  {
    label: texts.took,
    show: ({ duration_ms: count }) => fill(texts.milliseconds, { count }),
    isNumber: true,
  },
  // What has come since was an attempt of its own.
  { label: texts.nextAttempt, show: ({ next_attempt: time }) => <Time time={aheadOf(time)} /> },
]
