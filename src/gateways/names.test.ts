import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const sources = (await Array.fromAsync(glob('src/**/*.ts'))).filter((file) => !file.endsWith('.test.ts'))
const others = sources.filter((file) => !file.startsWith('src/gateways/'))
const folders = sources.flatMap((file) => /^src\/gateways\/(\w+)\/gateway\.ts$/.exec(file)?.[1] ?? [])

/** Lines of files that match, with their place. */
async function found(files: readonly string[], pattern: RegExp): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.flatMap((file, index) =>
    (texts[index] ?? '')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test('nothing outside the gateways decides by the name of one, or imports one', async () => {
  assert.ok(others.length > 100)
  assert.ok(['stripe', 'test'].every((folder) => folders.includes(folder)))
  const names = folders.join('|')
  assert.deepEqual(await found(others, new RegExp(`gateways/(${names})/`)), [])
  assert.deepEqual(await found(others, new RegExp(`([!=]==? |case )'(${names}|paypal|test_gateway)'`)), [])
})

test('the library of a gateway is imported by its own folder only, and that folder only when it is configured', async () => {
  for (const folder of folders.filter((one) => one !== 'test')) {
    const isInside = (file: string) => file.startsWith(`src/gateways/${folder}/`)
    const [inside, outside] = [sources.filter(isInside), sources.filter((file) => !isInside(file))]
    const imports = (await found(inside, / from '[^.]/)).map((line) => line.split("'").at(-2) ?? '')
    const libraries = new Set(imports.filter((name) => !name.startsWith('node:')))
    assert.ok(folder !== 'stripe' || libraries.has('stripe'))
    for (const name of libraries) assert.deepEqual(await found(outside, new RegExp(`from '${name}'`)), [])
    const [line = '', ...more] = await found(outside, new RegExp(`/${folder}/.*\\.ts'`))
    assert.deepEqual(more, [])
    assert.match(line, /^src\/gateways\/gateways\.ts: async \(.*\) => .*\(await import\(/)
  }
})
