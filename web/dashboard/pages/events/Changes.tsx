import type { EventLog } from '../../../../src/events/log/schema.ts'
import { Facts } from '../../../ui/parts.tsx'
import { changeText } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

type Values = Readonly<Record<string, unknown>>

interface Change {
  readonly name: string
  /** What was, and what is: `3 → 5`. */
  readonly text: string
}

/** Changes that are told in a row of a list. */
const IN_ROW = 2

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** What an event says was before and is after. */
function changesOf({ data }: Pick<EventLog, 'data'>): Change[] {
  const { from, to } = isValues(data) ? data : {}
  if (!isValues(from) || !isValues(to)) return []
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].map((name) => ({
    name,
    text: changeText(from[name], to[name]),
  }))
}

/** The first of them, below the type of the event in a row; nothing where there are none. */
export function Changed({ event }: { readonly event: Pick<EventLog, 'data'> }) {
  const told = changesOf(event).map(({ name, text }) => `${name} ${text}`)
  if (told.length === 0) return null
  const more = told.length > IN_ROW ? ` +${told.length - IN_ROW}` : ''
  return (
    <>
      <br />
      <span className="muted" title={told.join('\n')}>
        {told.slice(0, IN_ROW).join(', ') + more}
      </span>
    </>
  )
}

/** All of them; nothing where there are none. */
export function Changes({ event }: { readonly event: Pick<EventLog, 'data'> }) {
  const changes = changesOf(event)
  if (changes.length === 0) return null
  return (
    <Facts
      title={texts.whatChanged}
      facts={changes.map(({ name, text }) => ({ label: name, value: text }))}
    />
  )
}
