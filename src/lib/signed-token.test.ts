import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Keyring } from './keyring.ts'
import { issueToken, readToken } from './signed-token.ts'

const OLD = 'the secret of the tests: 32 characters long'
const keys = Keyring.of(OLD)
const now = Date.UTC(2026, 0, 31, 10)
const claims = { user_id: '5', plugin_id: '1' }
const issued = { purpose: 'checkout', claims, now, lastsMs: 60_000 } as const
const token = issueToken(keys, issued)
const [header = '', payload = '', signature = ''] = token.split('.')

const read = (text: string, at = now, ring = keys) => readToken(ring, text, { purpose: 'checkout', now: at })
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

test('a token is a JWT that says what it was issued with, each with a name of its own', () => {
  assert.deepEqual(decoded(header), { alg: 'HS256', typ: 'JWT' })
  const { jti, ...said } = decoded(payload)
  const seconds = now / 1000
  assert.deepEqual(said, { ...claims, aud: 'checkout', iat: seconds, exp: seconds + 60 })
  assert.deepEqual(read(token), { ...said, jti })
  assert.notEqual(decoded(issueToken(keys, issued).split('.')[1] ?? '').jti, jti)
})

test('S15: a token works for its 60 seconds, not at the 60th, and hardly before it was issued', () => {
  assert.ok(read(token, now + 59_999))
  assert.equal(read(token, now + 60_000), null)
  assert.ok(read(token, now - 5_000))
  assert.equal(read(token, now - 5_001), null)
  assert.ok(read(issueToken(keys, { ...issued, lastsMs: null }), now + 1e12))
})

test('S15: no other algorithm, no other header, no other key and no change passes', () => {
  const none = encoded({ alg: 'none', typ: 'JWT' })
  const said = decoded(payload)
  const hmac = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url')
  const other = `${header}.${encoded({ ...said, user_id: '6' })}`
  const reordered = encoded({ typ: 'JWT', alg: 'HS256' })
  for (const text of [
    '',
    '..',
    'a.b.c',
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${encoded({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
    `${encoded({ alg: 'HS256', typ: 'JWT', kid: '../x' })}.${payload}.${signature}`,
    `${reordered}.${payload}.${hmac(`${reordered}.${payload}`, OLD)}`,
    `${other}.${signature}`,
    `${other}.${hmac(other, OLD)}`,
    `${other}.${hmac(other, '')}`,
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}.${payload}.${signature}=`,
    `${header}.${payload}.${signature.slice(0, -1)}`,
    `${token}.${signature}`,
    `${token} `,
    token.toUpperCase(),
    `${token}${'a'.repeat(5_000)}`,
  ]) {
    assert.equal(read(text), null, text)
  }
})

/** Signed as the server would, for a purpose. */
const signed = (text: string, purpose = 'checkout') =>
  `${text}.${Buffer.from(keys.keyedHash(text, `token:${purpose}`), 'hex').toString('base64url')}`

test('S15: what the server never issues does not pass with its own signature either', () => {
  const said = decoded(payload)
  assert.ok(read(signed(`${header}.${payload}`)))
  for (const text of [
    signed(`${encoded({ alg: 'none', typ: 'JWT' })}.${payload}`),
    signed(`${encoded({ typ: 'JWT', alg: 'HS256' })}.${payload}`),
    signed(`${header}.${encoded({ ...said, aud: 'portal' })}`),
    signed(`${header}.${payload}`, 'portal'),
  ]) {
    assert.equal(read(text), null, text)
  }
})

test('S15: a token for one purpose is none for another', () => {
  for (const purpose of ['checkout.license', 'checkout.cart', 'portal', 'cart.unsubscribe'] as const) {
    assert.equal(readToken(keys, token, { purpose, now }), null)
    assert.equal(read(issueToken(keys, { ...issued, purpose })), null)
  }
})

test('a token of the secret before the present one works, of an unknown one not', () => {
  const next = 'another secret of the tests, long enough'
  assert.ok(read(token, now, Keyring.of(next, [OLD])))
  assert.equal(read(token, now, Keyring.of(next)), null)
})
