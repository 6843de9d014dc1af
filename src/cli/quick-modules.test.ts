// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const ran = promisify(execFile)
const urlOf = (file: string) => new URL(`../../${file}`, import.meta.url).href

/** What each import of a server and of its schemas is found as, where these are loaded before it. */
async function foundAfter(...loaded: readonly string[]): Promise<readonly string[]> {
  const code = `await import('${urlOf('src/cli/serve.ts')}'); await import('typebox/schema')`
  const imports = [...loaded, 'test/found-modules.ts'].map((file) => `--import=${urlOf(file)}`)
  const { stdout } = await ran(process.execPath, [...imports, '--input-type=module', '--eval', code], {
    maxBuffer: 2 ** 25,
  })
  return stdout.split('\n').toSorted()
}

test('modules that are found by their names alone are those that Node finds', async () => {
  const [found, ofNode] = await Promise.all([foundAfter('bin/quick-modules.js'), foundAfter()])
  assert.ok(ofNode.length > 4_000, `${ofNode.length} imports`)
  assert.deepEqual(found, ofNode)
})
