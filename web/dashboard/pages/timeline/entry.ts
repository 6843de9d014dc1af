import type { TimelineEntry as Entry } from '../../../../src/sales/timeline/schema.ts'
import type { Words } from './words-en.ts'

/** What an entry is in words; null where there are none, as for an event of a client. */
export function wordOf({ kind, type }: Pick<Entry, 'kind' | 'type'>, words: Words): string | null {
  if (kind === 'note') return words.note
  const of = { event: words.events, mail: words.mails, audit: words.deeds, refusal: {} as Words['deeds'] }
  return of[kind][type] ?? null
}

/** Types of events of which it is told in a word each what was before and is now. */
const TOLD: ReadonlySet<string> = new Set(['license.extended', 'license.shortened', 'license.quota.changed'])

/** What was before and is now, as the event says it; null: it says no such thing, or nothing that is told so. */
export function changeIn({ type, data }: Pick<Entry, 'type' | 'data'>): readonly [unknown, unknown] | null {
  if (!TOLD.has(type) || typeof data !== 'object' || data === null) return null
  const { from, to } = data as Readonly<Record<string, unknown>>
  return [from, to]
}
