// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const ran = promisify(execFile)
const BY_NAME = import.meta.resolve('../../bin/quick-modules.js')
const TELLING = import.meta.resolve('../../test/found-modules.ts')
const SERVER = import.meta.resolve('./serve.ts')
const DEMO = import.meta.resolve('./demo.ts')

/** What each import of these modules is found as, where `loaded` are there before. */
async function found(modules: readonly string[], loaded: readonly string[]): Promise<readonly string[]> {
  const code = modules.map((module) => `await import('${module}')`).join('\n')
  const imports = [...loaded, TELLING].map((module) => `--import=${module}`)
  const { stdout } = await ran(process.execPath, [...imports, '--input-type=module', '--eval', code], {
    maxBuffer: 2 ** 25,
  })
  return stdout.trim().split('\n').toSorted()
}

test('modules that are found by their names alone are those that Node finds', async () => {
  const modules = [SERVER, DEMO, 'typebox/schema', 'typebox/format']
  const [byName, byNode] = await Promise.all([found(modules, [BY_NAME]), found(modules, [])])
  assert.ok(byNode.length > 4_000, `${byNode.length} imports`)
  assert.deepEqual(byName, byNode)
})

test('a server loads neither what checks arguments nor the demo before it is asked for them', async () => {
  const imports = await found([SERVER], [])
  const urls = new Set(imports.map((line) => (JSON.parse(line) as readonly string[])[2] ?? ''))
  assert.ok(urls.has(import.meta.resolve('../http/checker.ts')))
  assert.deepEqual(
    [...urls].filter((url) => /\/node_modules\/typebox\/|\/src\/demo\/(demo|year|sales)\.ts$/.test(url)),
    [],
  )
})

test('a command that calls a server by its address loads neither a database nor the operations', async () => {
  const modules = ['./api.ts', './login.ts', './client/noun-command.ts', './commands.ts', './program.ts']
  const imports = await found(
    modules.map((module) => import.meta.resolve(module)),
    [],
  )
  const urls = new Set(imports.map((line) => (JSON.parse(line) as readonly string[])[2] ?? ''))
  assert.ok(urls.has(import.meta.resolve('./client/operation-table.ts')))
  const others = [...urls].filter((url) =>
    /\/node_modules\/(kysely|pg|fastify|pino)\/|\/src\/(app|open)\.ts$/.test(url),
  )
  assert.deepEqual(others, [])
})
