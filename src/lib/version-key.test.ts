import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions } from './compare-versions.ts'
import { isVersion, versionKey } from './version-key.ts'

/** From the earliest to the latest. */
const IN_ORDER = [
  '0.9',
  '1',
  '1.0-Beta',
  '1.0-alpha',
  '1.0-alpha.1',
  '1.0-alpha.2',
  '1.0-alpha.10',
  '1.0-alpha.beta',
  '1.0-beta',
  '1.0-rc.1',
  '1.0',
  '1.0.0',
  '1.0.1-beta',
  '1.0.1',
  '1.2',
  '1.10',
  '2.0-beta',
  '2.0',
  '10.0',
]

test('versions are ordered as docs/interface.md 12.2 says, by comparing and by their keys', () => {
  for (const [left, a] of IN_ORDER.entries()) {
    for (const [right, b] of IN_ORDER.entries()) {
      const order = Math.sign(left - right)
      assert.equal(Math.sign(compareVersions(a, b)), order, `${a} ${b}`)
      assert.equal(Buffer.compare(Buffer.from(versionKey(a)), Buffer.from(versionKey(b))), order, `${a} ${b}`)
    }
  }
})

test('what does not count in the order does not count in the key', () => {
  for (const [a, b] of [
    ['1.2+one', '1.2+two'],
    ['v1.2', '1.2'],
    ['1.02', '1.2'],
  ] as const) {
    assert.equal(compareVersions(a, b), 0)
    assert.equal(versionKey(a), versionKey(b))
  }
})

test('a version has numbers, perhaps a pre-release and metadata, and nothing else', () => {
  for (const good of ['1', '1.0', '1.2.3', '1.2-beta.1', '2.0.0-rc.1+build.5', 'v3.1'])
    assert.ok(isVersion(good), good)
  for (const bad of [
    '',
    'one',
    '1.',
    '.1',
    '1..2',
    '1.0-',
    '1.0 beta',
    '1/2',
    '../1',
    '1.0\n',
    '1'.repeat(65),
  ])
    assert.ok(!isVersion(bad), bad)
})
