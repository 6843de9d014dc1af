import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { SandboxClock } from '../../../../src/catalogue/sandbox/schema.ts'
import type { Due } from '../../../../src/sales/due/schema.ts'
import { fill } from '../../../shared/language.ts'
import { momentOf, writtenTime } from '../../../ui/time.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { dueQuery, MOST_DUE, sandboxTime } from './clock.tsx'

/** Where to: the words of the time, and what is sent. */
interface Wanted {
  readonly until: string
  readonly body: { readonly duration: string } | { readonly target: string }
}

/** A time so many days, or months by the calendar, after another one. */
function later(time: string, { days = 0, months = 0 }: { readonly days?: number; readonly months?: number }) {
  const from = momentOf(time)
  const there = new Date(from)
  there.setUTCDate(1)
  there.setUTCMonth(from.getUTCMonth() + months)
  const last = new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 0)).getUTCDate()
  there.setUTCDate(Math.min(from.getUTCDate(), last) + days)
  return writtenTime(there)
}

const STEPS = [
  [texts.aDay, 'P1D', { days: 1 }],
  [texts.aMonth, 'P1M', { months: 1 }],
  [texts.aYear, 'P1Y', { months: 12 }],
] as const

interface Wanting {
  readonly clock: Pick<SandboxClock, 'now' | 'status'>
  readonly want: (one: Wanted) => void
}

const Steps = ({ clock: { now, status }, want }: Wanting) => (
  <>
    {STEPS.map(([label, duration, by]) => (
      <Allowed key={duration} group="catalogue" isQuiet>
        {(barred) => (
          <Button
            variant="default"
            disabled={status !== 'ready'}
            onClick={() => want({ until: later(now, by), body: { duration } })}
            {...barred}
          >
            {label}
          </Button>
        )}
      </Allowed>
    ))}
  </>
)

/** What falls due on the way; of more than is listed it is said that there is more. */
function overText(until: string, listed: readonly Due[]): string {
  const due = listed.filter(({ at }) => at <= until).length
  return fill(due === 0 ? texts.moveOverNothing : texts.moveOver, {
    time: sandboxTime(until),
    count: due === MOST_DUE ? `${numberText(due)}+` : numberText(due),
  })
}

/** Moves the clock by a step or to a day; before it does, it says how much falls due on the way. */
export function Move({
  clock: { now, status },
  mark,
}: {
  readonly clock: SandboxClock
  readonly mark: () => void
}) {
  const { path } = usePlace()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const want = (one: Wanted) => {
    mark()
    setWanted(one)
  }
  const due = useQuery(dueQuery(path))
  const day = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const target = String(new FormData(event.currentTarget).get('day') ?? '')
    if (target !== '') want({ until: `${target} 00:00:00`, body: { target: `${target} 00:00:00` } })
  }
  return (
    <div className="moves">
      <Steps clock={{ now, status }} want={want} />
      <form onSubmit={day} className="moves">
        <TextInput
          type="date"
          name="day"
          aria-label={texts.moveToDay}
          min={later(now, { days: 1 }).slice(0, 10)}
        />
        <Allowed group="catalogue">
          {(barred) => (
            <Button type="submit" variant="default" disabled={status !== 'ready'} {...barred}>
              {texts.moveToDay}
            </Button>
          )}
        </Allowed>
      </form>
      {wanted === null ? null : (
        <Confirm
          title={texts.moveClock}
          text={due.data && overText(wanted.until, due.data.due)}
          asked={[due]}
          keep={texts.keepClock}
          sent={{ method: 'POST', path: `${path}/sandbox/clock.json`, body: wanted.body }}
          close={() => setWanted(null)}
        />
      )}
    </div>
  )
}
