import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { DEFAULT_COST, hashPassword, passwordProblem, verifyNothing, verifyPassword } from './password.ts'
import type { PasswordCost } from './password.ts'

const cheap: PasswordCost = { memoryKib: 8, passes: 1, parallelism: 1 }

test('a stored password opens to itself only', async () => {
  const stored = await hashPassword('correct horse', cheap)
  assert.deepEqual(await verifyPassword('correct horse', stored, cheap), { ok: true, outdated: false })
  for (const wrong of ['correct horsf', 'Correct horse', 'correct horse ', '', stored]) {
    assert.equal((await verifyPassword(wrong, stored, cheap)).ok, false, wrong)
  }
})

test('the stored form is PHC argon2id with the cost in it, and salted', async () => {
  const stored = await hashPassword('correct horse', { memoryKib: 16, passes: 2, parallelism: 2 })
  const [, salt = '', hash] =
    /^\$argon2id\$v=19\$m=16,t=2,p=2\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/.exec(stored) ?? []
  const parameters = { message: 'correct horse', nonce: Buffer.from(salt, 'base64'), tagLength: 32 }
  const expected = argon2Sync('argon2id', { ...parameters, memory: 16, passes: 2, parallelism: 2 })
  assert.equal(expected.toString('base64').replace('=', ''), hash)
  assert.notEqual(await hashPassword('correct horse', cheap), await hashPassword('correct horse', cheap))
})

test('a hash of another cost still opens and is said to be outdated', async () => {
  const stored = await hashPassword('correct horse', cheap)
  for (const other of [{ memoryKib: 16 }, { passes: 2 }]) {
    const verdict = await verifyPassword('correct horse', stored, { ...cheap, ...other })
    assert.deepEqual(verdict, { ok: true, outdated: true })
  }
  const wide = await hashPassword('correct horse', { ...cheap, memoryKib: 16, parallelism: 2 })
  const verdict = await verifyPassword('correct horse', wide, { ...cheap, memoryKib: 16 })
  assert.deepEqual(verdict, { ok: true, outdated: true })
})

test('two spellings of one password are the same', async () => {
  const stored = await hashPassword('pässwörd-é', cheap)
  assert.equal((await verifyPassword('pässwörd-é'.normalize('NFD'), stored, cheap)).ok, true)
})

test('all 1,000 characters count', async () => {
  const long = '😀'.repeat(999)
  const stored = await hashPassword(`${long}a`, cheap)
  assert.equal((await verifyPassword(`${long}a`, stored, cheap)).ok, true)
  assert.equal((await verifyPassword(`${long}b`, stored, cheap)).ok, false)
  assert.equal((await verifyPassword(long, stored, cheap)).ok, false)
})

test('a stored text that is no hash never opens', async () => {
  const stored = await hashPassword('correct horse', cheap)
  for (const text of [
    '',
    'correct horse',
    stored.replace('argon2id', 'argon2i'),
    stored.replace('v=19', 'v=16'),
  ]) {
    assert.equal((await verifyPassword('correct horse', text, cheap)).ok, false, text)
  }
})

test('an unknown account costs as much as a wrong password', async () => {
  const cost = { memoryKib: 8192, passes: 2, parallelism: 1 }
  const stored = await hashPassword('correct horse', cost)
  const ways = [
    () => verifyPassword('wrong horse', stored, cost),
    () => verifyNothing('wrong horse', cost),
    () => verifyPassword('wrong horse', '', cost),
  ]
  // Processor time, and in turn, so that a busy machine slows none of them alone.
  const least = ways.map(() => Infinity)
  for (let round = 0; round < 7; round++) {
    for (const [n, run] of ways.entries()) {
      const start = process.cpuUsage()
      await run()
      const { user, system } = process.cpuUsage(start)
      least[n] = Math.min(least[n] ?? Infinity, (user + system) / 1000)
    }
  }
  const [known = NaN, ...others] = least
  for (const other of others) assert.ok(other > known / 2 && other < known * 2, `${known} ms, ${other} ms`)
})

test('the default cost is the one OWASP names first', () => {
  assert.deepEqual(DEFAULT_COST, { memoryKib: 19456, passes: 2, parallelism: 1 })
})

test('a password has 8 to 1,000 code points of any Unicode', async () => {
  const fits = [
    'zq8!mv2x',
    '😀😁😂🤣😃😄😅😆',
    'пароль-из-слов',
    '   \t    ',
    'ab\ncd\0ef',
    '密码'.repeat(500),
    'éa'.normalize('NFD').repeat(4),
  ]
  for (const password of fits) assert.equal(await passwordProblem(password), null, password)
  for (const password of ['', 'zq8!mv2', '😀😁😂🤣', 'é'.normalize('NFD').repeat(7)]) {
    assert.equal(await passwordProblem(password), 'must have at least 8 characters', password)
  }
  assert.equal(await passwordProblem('密'.repeat(1_001)), 'must have at most 1000 characters')
  for (const one of ['密', '~', '😀', 'é'.normalize('NFD')])
    assert.equal(await passwordProblem(one.repeat(40)), 'must not be one character, repeated')
})

test('the most common passwords are refused, in capitals and wide letters too', async () => {
  for (const password of ['password', '12345678', 'Password1', 'QWERTYUIOP', 'ｐａｓｓｗｏｒｄ']) {
    assert.equal(await passwordProblem(password), 'is one of the most common passwords', password)
  }
})
