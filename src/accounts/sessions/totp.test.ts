import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asGivenOut, newBackupCode, newTotp, totpStep } from './totp.ts'

/** The secret of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are those of RFC 6238 with SHA-1, cut to six digits', () => {
  const known = { 59: '287082', 1111111109: '081804', 1234567890: '005924', 20000000000: '353130' }
  for (const [seconds, code] of Object.entries(known)) {
    assert.equal(totpStep(SECRET, code, Number(seconds) * 1000), Math.floor(Number(seconds) / 30))
  }
})

test('a code is good one step before and after its own, and not two', () => {
  const step = Math.floor(1111111109 / 30)
  const at = (steps: number) => totpStep(SECRET, '081804', (step + steps) * 30_000)
  assert.deepEqual([at(-1), at(0), at(1)], [step, step, step])
  assert.deepEqual([at(-2), at(2)], [null, null])
})

test('what is not six ASCII digits is no code and no error', () => {
  for (const code of [
    '',
    '28708',
    '2870821',
    '28708a',
    '٢٨٧٠٨٢',
    '２８７０８２',
    '28708\u0000',
    '-28708',
    'x'.repeat(99),
  ]) {
    assert.equal(totpStep(SECRET, code, 59_000), null, code)
  }
  assert.equal(totpStep(SECRET, '287 082', 59_000), 1)
})

test('a set-up address holds the secret and the person, escaped', () => {
  const { secret, url } = newTotp('sam+x@example.com&issuer=Evil')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const parsed = new URL(url)
  assert.equal(parsed.searchParams.get('secret'), secret)
  assert.equal(parsed.searchParams.get('issuer'), 'Keywright')
  assert.ok(decodeURIComponent(parsed.pathname).endsWith('sam+x@example.com&issuer=Evil'))
})

test('a backup code has 24 characters, and may be typed with spaces, hyphens and small letters', () => {
  const codes = new Set(Array.from({ length: 1000 }, newBackupCode))
  assert.equal(codes.size, 1000)
  for (const code of codes) assert.match(code, /^[A-Z2-7]{24}$/)
  const code = newBackupCode()
  assert.equal(asGivenOut(`${code.slice(0, 8)}-${code.slice(8, 16).toLowerCase()} ${code.slice(16)}`), code)
})
