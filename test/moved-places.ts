import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { connect } from '../src/db/connect.ts'
import { openPlace, Place } from './command-line.ts'
import { testEngine } from './database.ts'
import { createTestFolder } from './folder.ts'

const bootstrap = ['bootstrap', '--email', 'new@example.com', '--product', 'My app']

/** A server with an account that has sold nothing yet, on the engine under test; gone after the test. */
export async function openEmptyPlace(t: Pick<TestContext, 'after'>, name: string): Promise<Place> {
  const place = await openPlace(t, name)
  await place.ask(bootstrap, { input: 'correct horse battery 7\n' })
  return place
}

/** The same on an embedded database, where the engine under test is the other one. */
export async function openOtherPlace(t: Pick<TestContext, 'after'>, name: string): Promise<Place> {
  if (testEngine() === 'sqlite') return openEmptyPlace(t, name)
  const folder = await createTestFolder(name)
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', KEYWRIGHT_DATA: join(folder, 'data') }
  const file = join(env.KEYWRIGHT_DATA, 'keywright.db')
  const place = new Place(folder, env, () => connect({ engine: 'sqlite', file }))
  t.after(async () => {
    await place.leave()
    await rm(folder, { recursive: true })
  })
  await place.ask(bootstrap, { input: 'correct horse battery 7\n' })
  return place
}
