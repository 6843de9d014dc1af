import type { EventLog } from '../../../../src/events/log/schema.ts'
import { Facts } from '../../../ui/parts.tsx'
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

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return texts.none
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What an event says was before and is after. */
function changesOf({ data }: Pick<EventLog, 'data'>): Change[] {
  const { from, to } = isValues(data) ? data : {}
  if (!isValues(from) || !isValues(to)) return []
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].map((name) => ({
    name,
    text: `${textOf(from[name])} → ${textOf(to[name])}`,
  }))
}

/** The first of them, in a row. */
export function Changed(event: Pick<EventLog, 'data'>) {
  const changes = changesOf(event)
  if (changes.length === 0) return texts.none
  const more = changes.length > IN_ROW ? ` +${changes.length - IN_ROW}` : ''
  const told = changes.slice(0, IN_ROW).map(({ name, text }) => `${name} ${text}`)
  return (
    <span title={changes.map(({ name, text }) => `${name} ${text}`).join('\n')}>
      {told.join(', ') + more}
    </span>
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
