import { useContext } from 'react'
import { fill } from '../shared/language.ts'
import { money } from '../shared/money.ts'
import { Copied } from '../ui/Copied.tsx'
import { InRow } from '../ui/Rows.tsx'
import * as times from '../ui/time.ts'
import { OfSandbox } from './may-write.ts'
import './moment.css'
import { sandboxTime } from './pages/sandbox/clock.tsx'
import { language, texts } from './texts/texts.ts'
import { zone } from './zone.ts'

/** An amount in the units of its currency, as people write it. */
export const amountText = (amount: number, currency: string): string => money(amount, currency, language)

export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span className="number">{amountText(amount, currency)}</span>
}

/** A time as people say it, in the zone that is set: near ones by how far they are, others as a day. */
export const timeText = (time: string): string => times.timeText(time, { language, zone })

/** A time exactly, in the zone that is set, with UTC beside it. */
export const exactTime = (time: string): string => times.exactTime(time, { language, zone })

/**
 * Tells when something is where nothing may stand beside it: its day in the zone that is set; of what is in the sandbox the
 * time of its clock, as `Time`.
 */
export function useWhen(): (time: string) => string {
  const isOfSandbox = useContext(OfSandbox)
  return isOfSandbox ? sandboxTime : (time) => times.dayText(time, { language, zone })
}

/**
 * A time, relative while it is near; the exact one and UTC on hover and focus, in a row where that has the focus. Of what
 * is in the sandbox it is the one of its clock, which is told. Nothing is a dash.
 */
export function Time({ time }: { readonly time: string | null }) {
  const isOfSandbox = useContext(OfSandbox)
  const isInRow = useContext(InRow)
  if (time === null) return <>{texts.none}</>
  const text = isOfSandbox ? sandboxTime(time) : timeText(time)
  const more = isOfSandbox ? fill(texts.byClock, { time: text }) : exactTime(time)
  return (
    <time
      dateTime={times.momentOf(time).toISOString()}
      title={more}
      data-exact={more}
      {...(!isInRow && { tabIndex: 0 })}
    >
      {text}
    </time>
  )
}

export const Copy = ({ text, isSecret = false }: { readonly text: string; readonly isSecret?: boolean }) => (
  <Copied text={text} words={texts} isSecret={isSecret} />
)

export type Tone = 'good' | 'warning' | 'bad' | 'plain'

/** A word for how something is. */
export const State = ({ word, tone }: { readonly word: string; readonly tone: Tone }) => (
  <span className={tone === 'plain' ? 'state' : `state ${tone}`}>{word}</span>
)

export const nameOf = (person: {
  readonly first?: string | null
  readonly last?: string | null
  readonly email?: string | null
}): string => {
  const name = `${person.first ?? ''} ${person.last ?? ''}`.trim()
  return name || person.email || texts.nobody
}

const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return texts.none
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What was, and what is: `1 → 5`. */
export const changeText = (before: unknown, after: unknown): string =>
  `${valueText(before)} → ${valueText(after)}`

/** A cycle in months; 0: paid once. */
export const cycleText = (months: number | undefined | null): string =>
  months === 1 ? texts.monthly : months === 12 ? texts.annual : months === 0 ? texts.lifetime : texts.none

export const numberText = (value: number): string => new Intl.NumberFormat(language).format(value)
