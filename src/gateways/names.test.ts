import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const sources = await Array.fromAsync(glob('src/**/*.ts'))
const others = sources.filter((file) => !file.startsWith('src/gateways/') && !file.endsWith('.test.ts'))

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
  assert.deepEqual(await found(others, /gateways\/(stripe|test)\//), [])
  assert.deepEqual(await found(others, /([!=]==? |case )'(stripe|paypal|test|test_gateway)'/), [])
})

test('the library of a gateway is imported by its own folder only, and that folder only when it is configured', async () => {
  const outside = sources.filter(
    (file) => !file.startsWith('src/gateways/stripe/') && !file.endsWith('.test.ts'),
  )
  assert.deepEqual(await found(outside, /from 'stripe'/), [])
  const importing = await found(
    outside.filter((file) => !file.endsWith('.test.ts')),
    /\/stripe\/.*\.ts'/,
  )
  assert.deepEqual(importing, [
    "src/gateways/gateways.ts: const { stripeGateway } = await import('./stripe/gateway.ts')",
  ])
})
