import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../../../test/pictures.ts'
import { PICTURE_MAX_BYTES, pictureProblem, pictureType } from './picture.ts'

const gif = (width: number, height: number) => {
  const bytes = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(10)])
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

test('a picture is known by its content', () => {
  assert.equal(pictureType(png(10, 10)), 'image/png')
  assert.equal(pictureType(gif(10, 10)), 'image/gif')
  assert.equal(pictureType(Buffer.from('ffd8ffe0', 'hex')), 'image/jpeg')
  assert.equal(pictureType(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), null)
})

test('at most 300 by 300 pixels and 200 KB', () => {
  assert.equal(pictureProblem(png(300, 300)), null)
  assert.equal(pictureProblem(gif(300, 1)), null)
  assert.match(pictureProblem(png(301, 1)) ?? '', /pixels/)
  assert.match(pictureProblem(gif(1, 301)) ?? '', /pixels/)
  const padded = Buffer.concat([png(1, 1), Buffer.alloc(PICTURE_MAX_BYTES)])
  assert.equal(pictureProblem(padded.subarray(0, PICTURE_MAX_BYTES)), null)
  assert.match(pictureProblem(padded.subarray(0, PICTURE_MAX_BYTES + 1)) ?? '', /bytes/)
})

test('what only begins like a picture is refused', () => {
  for (const text of ['', 'GIF8', '\xff\xd8\xff', '<svg/>', 'PK\x03\x04']) {
    assert.notEqual(pictureProblem(Buffer.from(text, 'latin1')), null, JSON.stringify(text))
  }
  assert.notEqual(pictureProblem(png(0, 10)), null)
})
