import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  hashToken,
  newBearerToken,
  newCheckoutToken,
  newKeyPair,
  newOpaqueToken,
  sameText,
} from './credentials.ts'

test('tokens and keys have their prefix, length and alphabet', () => {
  assert.match(newBearerToken(), /^kw_[A-Za-z0-9_-]{40}$/)
  assert.match(newKeyPair().publicKey, /^pk_[A-Za-z0-9_-]{29}$/)
  assert.match(newKeyPair().secretKey, /^sk_[A-Za-z0-9_-]{29}$/)
  assert.match(newOpaqueToken(), /^[A-Za-z0-9_-]{43}$/)
})

test('every position takes every character about equally often', () => {
  const makers = [() => newKeyPair().publicKey, () => newKeyPair().secretKey, newBearerToken]
  for (const make of makers) {
    const texts = Array.from({ length: 12_800 }, () => make().slice(3))
    for (let at = 0; at < (texts[0] ?? '').length; at += 1) {
      const counts = new Map<string, number>()
      for (const text of texts) counts.set(text.charAt(at), (counts.get(text.charAt(at)) ?? 0) + 1)
      assert.equal(counts.size, 64)
      for (const count of counts.values()) assert.ok(count > 100 && count < 320, `${count} of about 200`)
    }
  }
})

test('no token of a checkout begins with a hyphen, which a command line takes for an option', () => {
  for (let n = 0; n < 1_000; n++) assert.match(newCheckoutToken(), /^[A-Za-z0-9_][A-Za-z0-9_-]{31}$/)
})

test('no two are alike, and a public key does not tell its secret key', () => {
  const pairs = Array.from({ length: 1_000 }, newKeyPair)
  const texts = pairs.flatMap(({ publicKey, secretKey }) => [publicKey.slice(3), secretKey.slice(3)])
  assert.equal(new Set(texts).size, 2_000)
})

test('a token is stored as its SHA-256', () => {
  assert.equal(hashToken('kw_ü'), createHash('sha256').update('kw_ü').digest('hex'))
})

test('sameText tells equal from different, of any length', () => {
  assert.equal(sameText('abc', 'abc'), true)
  assert.equal(sameText('', ''), true)
  for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) assert.equal(sameText('abc', other), false, other)
})
