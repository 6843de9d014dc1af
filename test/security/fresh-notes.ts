import type { TxContext } from '../../src/context.ts'
import type { NotedEntity } from '../../src/sales/notes/entity-notes.ts'
import type { Scope } from '../../src/access/scope.ts'
import { createNote } from '../../src/people/notes/service.ts'
import type { Ids } from './world.ts'

interface Place {
  readonly tx: TxContext
  readonly scope: Scope
}

type Makers<P> = Readonly<Record<NotedEntity, (place: P) => Promise<Ids>>>

/**
 * Makes what an operation on the note of an entity needs: an entity of its own, with a note unless one is created.
 * Undefined: the operation is about no such note.
 */
export function freshNote<P extends Place>(
  operation: string,
  makers: Makers<P>,
): ((place: P) => Promise<Ids>) | undefined {
  const types = Object.keys(makers) as NotedEntity[]
  const type = types.find((one) => operation.endsWith(`-note-of-${one}`))
  if (type === undefined) return undefined
  return async (place) => {
    const made = await makers[type](place)
    const id = Number(made[`${type}_id`])
    if (!operation.includes('/create-')) {
      await createNote(place.tx, place.scope, { type, id }, { note: 'Ask Ada.' })
    }
    return made
  }
}
