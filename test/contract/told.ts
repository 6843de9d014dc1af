import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RECORDED } from '../../tools/event-table.ts'

/** Rows of the table that say in words what the data is. */
const IN_WORDS = /what |the site/

/**
 * Where `docs/events.md` and what the tests of a whole run recorded differ (`noteEvents`): types that no test recorded,
 * and names in their data that the table does not have.
 */
export async function eventNotes(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  const lists = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const told = new Map<string, Set<string>>()
  for (const text of lists.flatMap((list) => JSON.parse(list) as string[])) {
    const [kind, type = '', name] = text.split(' ')
    if (kind !== 'event') continue
    const names = told.get(type) ?? new Set<string>()
    told.set(type, name === undefined ? names : names.add(name))
  }
  return Object.entries(RECORDED).flatMap(([type, [, data]]) => {
    const names = told.get(type)
    if (!names) return [`${type} was recorded by no test`]
    const listed = new Set(data.split(', '))
    const others = IN_WORDS.test(data) ? [] : [...names].filter((name) => !listed.has(name))
    return others.map((name) => `${type} has ${name} in its data, which docs/events.md does not say`)
  })
}
