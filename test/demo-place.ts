import type { TestContext } from 'node:test'
import { openPlace, type Place } from './command-line.ts'

/** A place for one test with the demo in it, from some moments before; on the engine under test, gone after it. */
export async function openDemoPlace(t: Pick<TestContext, 'after'>, name: string): Promise<Place> {
  const demo = process.env['KEYWRIGHT_TEST_DEMO']
  const place = await openPlace(t, name, demo)
  // A test that runs by itself makes its own.
  if (demo === undefined) await place.ask(['demo'])
  return place
}
