import { RECORDED } from './event-meanings.ts'
import type { EventTypes } from './schema.ts'

const namesIn = (cell: string): string[] => cell.split(', ').filter((name) => name !== '')

/** The types that are recorded, by what they are about, with their meanings as `docs/events.md` has them. */
export const eventTypes = (): EventTypes['event_types'] =>
  Object.entries(RECORDED).map(([type, [meaning, data, objects]]) => ({
    type,
    meaning,
    data: namesIn(data),
    objects: namesIn(objects),
  }))
