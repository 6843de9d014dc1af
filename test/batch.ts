import { relative } from 'node:path'
import { stopTracking } from './untracked.ts'

const { suite } = await import('node:test')

/** Runs the test files of `KEYWRIGHT_TEST_FILES` (a JSON list of absolute paths) one after another, a suite for each. */
const files = JSON.parse(process.env['KEYWRIGHT_TEST_FILES'] ?? '[]') as string[]

/** One import at a time: of two at once, the tests of one could become part of the other one's suite. */
for (const file of files) {
  const loaded = Promise.withResolvers<void>()
  void suite(relative(process.cwd(), file), async () => {
    await import(file).finally(loaded.resolve)
  })
  await loaded.promise
}
stopTracking()
