import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortcutOf } from './shortcuts.ts'

const ON: ReadonlySet<string> = new Set()

test('a pair of keys counts where the second follows within a second, and a key alone otherwise', () => {
  const g = { key: 'g', at: 0 }
  assert.equal(shortcutOf(g, { key: 'c', at: 900 }, ON), 'g c')
  assert.equal(shortcutOf(g, { key: 'c', at: 1_001 }, ON), 'c')
  assert.equal(shortcutOf(null, { key: 'l', at: 0 }, ON), undefined)
  assert.equal(shortcutOf({ key: 'x', at: 0 }, { key: '?', at: 1 }, ON), '?')
})

test('what is switched off does nothing, and the others go on', () => {
  assert.equal(shortcutOf(null, { key: 'c', at: 0 }, new Set(['c'])), undefined)
  assert.equal(shortcutOf({ key: 'g', at: 0 }, { key: 'c', at: 1 }, new Set(['c'])), 'g c')
})
