import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENT_TYPES } from '../../src/db/tables/event-types.ts'
import { RECORDED } from '../../src/events/log/event-meanings.ts'

type Table = Readonly<Record<string, readonly [when: string, data: string, objects: string]>>

/**
 * Where `docs/events.md` and what the server recorded in the tests of a whole run differ (`noteEvents`): types, names in
 * their data and kinds of objects that only one of them has.
 */
export async function eventFaults(folder: string, table: Table = RECORDED): Promise<string[]> {
  const told = await toldIn(folder)
  const missing = EVENT_TYPES.filter((type) => told.has(type) && !(type in table))
  const faults = missing.map((type) => `${type} is recorded, which docs/events.md does not say`)
  for (const [type, [, data, objects]] of Object.entries(table)) {
    const had = told.get(type)
    if (!had) faults.push(`${type} was recorded by no test`)
    else faults.push(...differing(type, 'data', had, data), ...differing(type, 'objects', had, objects))
  }
  return faults
}

type Part = 'data' | 'objects'

function differing(type: string, part: Part, had: ReadonlySet<string>, cell: string): string[] {
  const listed = new Set(cell.split(', ').filter((name) => name !== ''))
  const recorded = new Set(
    [...had].flatMap((one) => (one.startsWith(`${part} `) ? one.slice(part.length + 1) : [])),
  )
  return [
    ...[...recorded.difference(listed)].map(
      (name) => `${type} has ${name} in its ${part}, which docs/events.md does not say`,
    ),
    ...[...listed.difference(recorded)].map(
      (name) => `${type} has ${name} in its ${part} by docs/events.md, which no test recorded`,
    ),
  ]
}

/** What each type had: `data quota`, `objects user`. */
async function toldIn(folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = await readdir(folder)
  const lists = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const told = new Map<string, Set<string>>()
  for (const text of lists.flatMap((list) => JSON.parse(list) as string[])) {
    const [kind, type = '', ...part] = text.split(' ')
    if (kind !== 'event') continue
    const had = told.get(type) ?? new Set<string>()
    told.set(type, part.length === 0 ? had : had.add(part.join(' ')))
  }
  return told
}
