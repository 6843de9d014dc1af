import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keyring } from './keyring.ts'

const OLD = 'old-secret-'.padEnd(32, 'o')
const NEW = 'new-secret-'.padEnd(32, 'n')
const PLACE = 'products.secret_key'

test('what is sealed opens in its place', () => {
  const keyring = Keyring.of(NEW)
  for (const text of ['sk_secret', '', 'ü😀\n', 'x'.repeat(100_000)]) {
    assert.equal(keyring.open(keyring.seal(text, PLACE), PLACE), text)
  }
})

test('a sealed text names its secret, hides its content, and is never the same twice', () => {
  const keyring = Keyring.of(NEW)
  const sealed = keyring.seal('sk_secret', PLACE)
  assert.match(sealed, /^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{50}$/)
  assert.ok(sealed.startsWith(`v1.${keyring.currentKid}.`))
  assert.notEqual(sealed, keyring.seal('sk_secret', PLACE))
  assert.notEqual(keyring.currentKid, Keyring.of(OLD).currentKid)
})

test('moved to another column it does not open', () => {
  const keyring = Keyring.of(NEW)
  assert.throws(() => keyring.open(keyring.seal('x', PLACE), 'users.secret_key'), /changed/)
})

test('any change to a sealed text is noticed', () => {
  const keyring = Keyring.of(NEW)
  const sealed = keyring.seal('sk_secret', PLACE)
  const start = sealed.lastIndexOf('.') + 1
  const bytes = Buffer.from(sealed.slice(start), 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    assert.throws(
      () => keyring.open(sealed.slice(0, start) + changed.toString('base64url'), PLACE),
      /changed/,
    )
  }
  assert.throws(() => keyring.open(sealed.slice(0, -4), PLACE), /changed/)
})

test('text that is not sealed does not open', () => {
  const keyring = Keyring.of(NEW)
  const sealed = keyring.seal('x', PLACE)
  for (const text of [
    '',
    'sk_secret',
    'v1..',
    sealed.replace('v1', 'v2'),
    `${sealed}.`,
    sealed.slice(0, 30),
  ]) {
    assert.throws(() => keyring.open(text, PLACE), /not sealed/, text)
  }
})

test('a previous secret still opens, and what it sealed is not current', () => {
  const sealed = Keyring.of(OLD).seal('x', PLACE)
  const rotated = Keyring.of(NEW, [OLD])
  assert.equal(rotated.open(sealed, PLACE), 'x')
  assert.equal(rotated.isCurrent(sealed), false)
  assert.equal(rotated.isCurrent(rotated.seal('x', PLACE)), true)
  assert.equal(Keyring.of(NEW).open(rotated.seal('x', PLACE), PLACE), 'x')
})

test('an unknown secret is an error that names neither secret nor content', () => {
  const sealed = Keyring.of(OLD).seal('x', PLACE)
  assert.throws(() => Keyring.of(NEW).open(sealed, PLACE), {
    message: `The secret that sealed the text in ${PLACE} is not known.`,
  })
})

test('a keyed hash depends on text, purpose and secret, and on nothing else', () => {
  const keyring = Keyring.of(NEW, [OLD])
  const hash = keyring.keyedHash('key', 'license')
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal(Keyring.of(NEW).keyedHash('key', 'license'), hash)
  assert.notEqual(keyring.keyedHash('kez', 'license'), hash)
  assert.notEqual(keyring.keyedHash('key', 'idempotency'), hash)
  assert.deepEqual(keyring.keyedHashes('key', 'license'), [hash, Keyring.of(OLD).keyedHash('key', 'license')])
})

test('hashes stay what they are from one release to the next', () => {
  assert.equal(Keyring.of(NEW).currentKid, 'ce7e740d')
  assert.equal(
    Keyring.of(NEW).keyedHash('key', 'license'),
    '556a46907f370008f3556fc7f120f60c6142bf53e8fd2bc7253c18e5475379d1',
  )
  const sealed = 'v1.ce7e740d.VUbTzmbBLqq-5YVSRJCapoT8lszXBoAhHlMJEdceKISnnsbq0A'
  assert.equal(Keyring.of(NEW).open(sealed, PLACE), 'sk_secret')
})

test('a secret shorter than 32 characters is refused, current or previous', () => {
  assert.throws(() => Keyring.of('x'.repeat(31)), RangeError)
  assert.throws(() => Keyring.of(NEW, ['x'.repeat(31)]), RangeError)
})

test('a keyring gives no secret away when it is logged', () => {
  assert.equal(JSON.stringify(Keyring.of(NEW, [OLD])), '{}')
})

test('more purposes than the cache holds still open', () => {
  const keyring = Keyring.of(NEW)
  const places = Array.from({ length: 1_000 }, (_, i) => `table.column${i}`)
  const sealed = places.map((place) => keyring.seal(place, place))
  places.forEach((place, i) => assert.equal(keyring.open(sealed[i] ?? '', place), place))
})
