import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DEFAULT_COST, verifyPassword } from '../../src/lib/password.ts'
import { promptly } from './answers.ts'
import { jsonBody } from './client.ts'
import { spellingsOf, issuedIn } from './secrets.ts'
import { dumpOf, stateOf, textOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('credentials')
})
after(() => world.close())

let people = 0
const create = (fields: object, headers: Record<string, string> = {}) => {
  const { product } = world.seller
  const { headers: json, body } = jsonBody({
    email: `person-${++people}@example.com`,
    name: 'Some Body',
    ...fields,
  })
  return world.send({
    method: 'POST',
    path: `/v1/products/${product.id}/users.json`,
    body,
    headers: { ...json, authorization: `Bearer ${product.token}`, ...headers },
  })
}
const hashOf = async (id: string) => {
  const query = world.ctx.db.selectFrom('users').select('password_hash').where('id', '=', Number(id))
  return String((await query.executeTakeFirstOrThrow()).password_hash)
}

test('S07: a dump of all tables holds no issued credential, in clear, hex or base64', async () => {
  const password = 'the secret pass phrase of one person'
  const created = await create({ password }, { 'idempotency-key': 'keeps the reply with its keys' })
  assert.equal(created.status, 200, created.text)
  const issued = [...(await issuedIn(world)), { what: 'password', value: password }]
  issued.push({ what: 'secret key in a stored reply', value: created.json.secret_key })
  const dump = textOf(await dumpOf(world.ctx.database))
  assert.ok(
    dump.includes('idempotency_keys\n{') && dump.includes('mails\n{'),
    'replies and mails are in the dump',
  )
  for (const { what, value } of issued) {
    assert.ok(value.length >= 20, what)
    for (const spelling of spellingsOf(value)) assert.ok(!dump.includes(spelling), what)
  }
  const kinds = new Set(issued.map(({ what }) => what))
  assert.deepEqual([...kinds].toSorted(), [
    'access token',
    'bearer token',
    'confirmation token',
    'developer secret key',
    'install secret key',
    'install token',
    'invitation token',
    'license key',
    'password',
    'product secret key',
    'secret key in a stored reply',
    'session',
    'store secret key',
    'user secret key',
  ])
})

describe('S09: passwords over HTTP', () => {
  test('from 8 to 1,000 characters of any Unicode; what is outside is named and nothing is stored', async () => {
    for (const password of [
      'x!7 bQz%',
      'й!7 bQz%',
      '🦀🦞🐙🦑🦐🐡🐠🐟',
      ' '.repeat(4) + 'ab?9',
      'q!7 '.repeat(16),
      'q!7 '.repeat(250),
    ]) {
      const answer = await create({ password })
      assert.equal(answer.status, 200, `${password.slice(0, 20)} ${answer.text}`)
    }
    const before = await stateOf(world.ctx.database)
    for (const password of [
      '',
      'x!7 bQz',
      '🦀🦞🐙🦑🦐🐡🐠',
      'q!7 '.repeat(250) + '!',
      'x'.repeat(4097),
      'x'.repeat(500_000),
    ]) {
      const answer = await create({ password })
      assert.equal(answer.status, 400, password.slice(0, 20))
      assert.deepEqual(
        answer.json.error.details.map(({ field }: { field: string }) => field),
        ['password'],
      )
      assert.ok(!answer.text.includes(password.slice(0, 100)) || password === '', 'it is not echoed')
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('a common password is refused, whatever its case', async () => {
    for (const password of ['password', 'PASSWORD', 'Password1', '12345678', 'qwertyuiop', 'iloveyou1']) {
      const answer = await create({ password })
      assert.equal(answer.status, 400, password)
      assert.match(answer.json.error.details[0].message, /most common/)
    }
  })

  test('what is stored is argon2id with a salt of its own, at the cost of the process', async () => {
    const password = 'the same pass phrase twice'
    const [one, two] = [await create({ password }), await create({ password })]
    const hashes = [await hashOf(one.json.id), await hashOf(two.json.id)]
    for (const hash of hashes) {
      assert.match(hash, /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      const { ok, outdated } = await verifyPassword(password, hash, world.ctx.passwordCost)
      assert.ok(ok && !outdated)
    }
    assert.notEqual(hashes[0], hashes[1])
    // OWASP's floor for argon2id with one lane: 19 MiB and two passes.
    assert.ok(DEFAULT_COST.memoryKib >= 19_456 && DEFAULT_COST.passes >= 2)
  })

  test('nothing is cut off: the last of 1,000 characters counts, and one of them costs no more than a bound', async () => {
    const password = 'q!7 '.repeat(250)
    const answer = await promptly('1,000 characters', 1_000, () => create({ password }))
    const hash = await hashOf(answer.json.id)
    const verify = async (text: string) => (await verifyPassword(text, hash, world.ctx.passwordCost)).ok
    assert.equal(await verify(password), true)
    assert.equal(await verify(`${password.slice(0, -1)}!`), false)
    assert.equal(await verify(password.slice(0, -1)), false)
  })

  test('composed and decomposed spellings are one password', async () => {
    const answer = await create({ password: 'cr\u00e8me br\u00fbl\u00e9e' })
    const decomposed = 'cr\u00e8me br\u00fbl\u00e9e'.normalize('NFD')
    const hash = await hashOf(answer.json.id)
    assert.ok((await verifyPassword(decomposed, hash, world.ctx.passwordCost)).ok)
  })

  test('creating a known person again changes neither password nor name', async () => {
    const email = 'known@example.com'
    const first = await create({ email, password: 'the first pass phrase', is_verified: false })
    const hash = await hashOf(first.json.id)
    const again = await create({
      email,
      password: 'the second pass phrase',
      name: 'Some Else',
      is_verified: true,
    })
    assert.equal(again.json.id, first.json.id)
    assert.equal(again.json.last, first.json.last)
    assert.equal(again.json.is_verified, false)
    assert.equal(await hashOf(first.json.id), hash)
  })
})
