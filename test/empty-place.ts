import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Place } from './command-line.ts'
import { createEmptyDatabase, testEngine } from './database.ts'

/** Where nothing is yet: a data folder, and an empty database on the engine that has its own. */
export async function emptyPlace(t: TestContext, place: Place): Promise<Record<string, string>> {
  const folder = { KEYWRIGHT_DATA: join(place.folder, 'restored') }
  if (testEngine() === 'sqlite') return folder
  const { options, database, remove } = await createEmptyDatabase('restored')
  await database.close()
  t.after(remove)
  return { ...folder, DATABASE_URL: 'url' in options ? options.url : '' }
}
