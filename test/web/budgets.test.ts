// Runs slowly.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Manifest } from '../../src/web/manifest.ts'
import { built } from './built.ts'

const KB = 1_000

/** Bytes, packed by gzip, that each page may load before it is usable. */
const PAGES: Readonly<Record<string, { readonly scripts: number; readonly styles: number }>> = {
  checkout: { scripts: 30 * KB, styles: 6 * KB },
  pricing: { scripts: 25 * KB, styles: 6 * KB },
  contact: { scripts: 30 * KB, styles: 6 * KB },
  designer: { scripts: 30 * KB, styles: 6 * KB },
  dashboard: { scripts: 200 * KB, styles: 15 * KB },
}

/** What a page loads later, for one of its addresses or ways. */
const PART = 40 * KB

let manifest: Manifest
before(async () => {
  manifest = await built()
})

/** What a file takes on the way: some are too small to be packed. */
const sizeOf = (name: string): number => {
  const file = manifest.files[name] ?? assert.fail(`${name} is not in the build`)
  return file.gzip ?? file.size
}
const sum = (names: readonly string[]) => names.map(sizeOf).reduce((all, one) => all + one, 0)

test('every page keeps to its size', () => {
  assert.deepEqual(Object.keys(manifest.pages).toSorted(), Object.keys(PAGES).toSorted())
  for (const [name, { script, preloads, styles }] of Object.entries(manifest.pages)) {
    const budget = PAGES[name] ?? assert.fail(name)
    const scripts = sum([script, ...preloads])
    assert.ok(scripts <= budget.scripts, `${name} loads ${scripts} bytes of scripts`)
    assert.ok(sum(styles) <= budget.styles, `${name} loads ${sum(styles)} bytes of styles`)
  }
})

test('what is loaded later comes in small parts', () => {
  const first = new Set(
    Object.values(manifest.pages).flatMap(({ script, preloads }) => [script, ...preloads]),
  )
  const later = Object.keys(manifest.files).filter((name) => name.endsWith('.js') && !first.has(name))
  assert.ok(later.length > 10)
  for (const name of later) assert.ok(sizeOf(name) <= PART, `${name}: ${sizeOf(name)} bytes`)
})

test('the script that shops have in their pages keeps to 6 kB', () => {
  assert.ok(sizeOf(manifest.fixed['overlay.js'] ?? '') <= 6 * KB)
})
