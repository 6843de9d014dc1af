import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHORTCUTS, shortcutOf } from './shortcuts.ts'

const ON: ReadonlySet<string> = new Set()

test('a pair of keys counts where the second follows within a second, and a key alone otherwise', () => {
  const g = { key: 'g', at: 0 }
  assert.equal(shortcutOf(g, { key: 'c', at: 900 }, ON), 'g c')
  assert.equal(shortcutOf(g, { key: 'c', at: 1_001 }, ON), 'c')
  assert.equal(shortcutOf(null, { key: 'l', at: 0 }, ON), undefined)
  assert.equal(shortcutOf({ key: 'x', at: 0 }, { key: '?', at: 1 }, ON), '?')
})

test('each can be switched off, and does nothing then', () => {
  for (const keys of Object.keys(SHORTCUTS)) {
    const [first = '', second] = keys.split(' ')
    const before = second === undefined ? null : { key: first, at: 0 }
    const pressed = { key: second ?? first, at: 1 }
    assert.equal(shortcutOf(before, pressed, ON), keys)
    assert.notEqual(shortcutOf(before, pressed, new Set([keys])), keys)
  }
})

test('what is switched off does nothing, and the others go on', () => {
  assert.equal(shortcutOf(null, { key: 'c', at: 0 }, new Set(['c'])), undefined)
  assert.equal(shortcutOf({ key: 'g', at: 0 }, { key: 'c', at: 1 }, new Set(['c'])), 'g c')
})
