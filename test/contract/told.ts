import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENT_TYPES } from '../../src/lib/event-types.ts'
import { RECORDED } from '../../tools/event-table.ts'

/** Rows of the table that say in words what the data is. */
const IN_WORDS = /what |the site/

type Table = Readonly<Record<string, readonly [when: string, data: string, objects: string]>>

/**
 * Where `docs/events.md` and what the server recorded in the tests of a whole run differ (`noteEvents`): types that only
 * one of them has, and names in their data that the document does not have.
 */
export async function eventFaults(folder: string, table: Table = RECORDED): Promise<string[]> {
  const told = await toldIn(folder)
  const missing = EVENT_TYPES.filter((type) => told.has(type) && !(type in table))
  const faults = missing.map((type) => `${type} is recorded, which docs/events.md does not say`)
  for (const [type, [, data]] of Object.entries(table)) {
    const names = told.get(type)
    if (!names) faults.push(`${type} was recorded by no test`)
    if (!names || IN_WORDS.test(data)) continue
    const listed = new Set(data.split(', '))
    for (const name of names)
      if (!listed.has(name)) faults.push(`${type} has ${name} in its data, which docs/events.md does not say`)
  }
  return faults
}

/** The names in the data of each type. */
async function toldIn(folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = await readdir(folder)
  const lists = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const told = new Map<string, Set<string>>()
  for (const text of lists.flatMap((list) => JSON.parse(list) as string[])) {
    const [kind, type = '', name] = text.split(' ')
    if (kind !== 'event') continue
    const names = told.get(type) ?? new Set<string>()
    told.set(type, name === undefined ? names : names.add(name))
  }
  return told
}
