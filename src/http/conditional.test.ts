import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKnown } from './conditional.ts'

test('a tag is known alone, in a list, weak or strong, and by a star', () => {
  for (const header of ['"1.2"', 'W/"1.2"', '"0", W/"1.2"', '"1.2","3"', '*'])
    assert.equal(isKnown(header, '1.2'), true, header)
})

test('a part of a tag, another one and none are not known', () => {
  for (const header of [undefined, '', '1.2', '"1"', '"1.23"', 'w/"1.2"', '"W/1.2"'])
    assert.equal(isKnown(header, '1.2'), false, String(header))
})
