import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlug, slugOf } from './slug.ts'

test('a slug is made of what a title has in letters and digits of any script', () => {
  assert.equal(slugOf('  Pro & Business, 2nd edition! '), 'pro-business-2nd-edition')
  assert.equal(slugOf('Édition ＰＲＯ'), 'édition-pro')
  assert.equal(slugOf('プロ'), 'プロ')
  assert.equal(slugOf('!?'), '')
})

test('a slug is folded text without spaces and signs', () => {
  for (const text of ['pro', 'pro_2', 'pro-plan', 'プロ']) assert.equal(isSlug(text), true, text)
  for (const text of ['', 'Pro', 'pro plan', 'pro/plan', 'pro.', 'ｐｒｏ', 'a\u0000', 'a\u202eb'])
    assert.equal(isSlug(text), false, JSON.stringify(text))
})
