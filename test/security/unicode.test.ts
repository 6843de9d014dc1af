import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inParallel, jsonBody, type Answer } from './client.ts'
import { allowed, GUARDED, idsFor, isWrite, mainMounts, MOUNTS, requestTo, sentTo } from './requests.ts'
import { bodyOf } from './examples.ts'
import { stateOf } from './tables.ts'
import { keywordsOf, propertiesOf } from './values.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('unicode')
})
after(() => world.close())

const users = () => `/v1/products/${world.seller.product.id}/users.json`
const authorization = () => `Bearer ${world.seller.product.token}`
const create = (email: string, fields: object = { name: 'Some Body' }): Promise<Answer> => {
  const { headers, body } = jsonBody({ email, ...fields })
  const head = { ...headers, authorization: authorization() }
  return world.send({ method: 'POST', path: users(), headers: head, body })
}
const idOf = async (email: string): Promise<string> => {
  const answer = await create(email)
  assert.equal(answer.status, 200, `${email} ${answer.text}`)
  return answer.json.id
}
const find = async (query: string): Promise<string[]> => {
  const answer = await world.send({
    method: 'GET',
    path: `${users()}?${query}`,
    headers: { authorization: authorization() },
  })
  return (answer.json.users as { id: string }[]).map(({ id }) => id)
}

describe('S22: one person an address', () => {
  const same: readonly (readonly [string, string])[] = [
    ['case', 'CASE@Example.COM|case@example.com'],
    ['composed and decomposed', 'jos\u00e9@example.com|jose\u0301@example.com'],
    ['full width', 'ｗｉｄｅ@example.com|wide@example.com'],
    ['the Kelvin sign', '\u212aelvin@example.com|kelvin@example.com'],
    ['a domain in letters and in ASCII', 'ada@ex\u00e4mple.com|ada@xn--exmple-cua.com'],
    ['a sigma at the end', 'ΟΔΥΣΣΕΥΣ@example.com|οδυσσευς@example.com'],
  ]
  for (const [what, addresses] of same) {
    test(`${what} makes no second person, and either spelling finds it`, async () => {
      const [one = '', other = ''] = addresses.split('|')
      const id = await idOf(one)
      assert.equal(await idOf(other), id)
      for (const email of [one, other]) {
        assert.deepEqual(await find(`email=${encodeURIComponent(email)}`), [id])
        assert.deepEqual(await find(`search=${encodeURIComponent(email)}`), [id])
      }
    })
  }

  test('letters that only look alike, and the Turkish i with and without its dot, are different people', async () => {
    const addresses = [
      'india@example.com',
      'İndia@example.com',
      'ındia@example.com',
      'indiа@example.com',
      'india@examp1e.com',
    ]
    const ids = []
    for (const email of addresses) ids.push(await idOf(email))
    assert.equal(new Set(ids).size, addresses.length)
    assert.equal(await idOf('INDIA@example.com'), ids[0])
  })

  test('of many spellings at once one makes the person', async () => {
    const spellings = ['race@example.com', 'RACE@example.com', 'Race@Example.com', 'ｒａｃｅ@example.com']
    const answers = await Promise.all(
      [...spellings, ...spellings, ...spellings].map((email) => create(email)),
    )
    assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1)
  })

  test('what cannot be seen, or turns the direction of text, is refused in an address and stores nothing', async () => {
    const before = await stateOf(world.ctx.database)
    const unseen = [
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u202e',
      '\u202a',
      '\u2066',
      '\u2069',
      '\ufe0f',
      '\u3164',
      '\u0007',
      '\u00a0',
      '\u2028',
    ]
    for (const char of unseen) {
      for (const email of [
        `a${char}b@example.com`,
        `ab@exam${char}ple.com`,
        `${char}ab@example.com`,
        `ab@example.com${char}`,
      ]) {
        const answer = await create(email)
        assert.equal(answer.status, 400, `U+${char.codePointAt(0)?.toString(16)} in ${JSON.stringify(email)}`)
      }
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })
})

describe('S22: text', () => {
  const EMOJI = '👩‍👩‍👧‍👦 𝒜 日本 ﷺ'

  /** Whether somebody may GET there. */
  const isReadable = (path: string) => {
    const shape = (one: string) => one.replaceAll(/\{\w+\}/g, '{}')
    return MOUNTS.some((one) => one.served && one.method === 'GET' && shape(one.path) === shape(path))
  }

  /** Text of which not every line is one: keys, times, hosts, names of a kind. */
  const STRICT =
    /^((license|public)_key|site_uid|pattern|permissions|trial_ends|trial_timestamp|type|email|process_at|target|duration|from|to|coupon_code|gateway|registrations|region|language|locale|columns|shop)$/

  /** The arguments of a write that are text. */
  const textFields = () =>
    mainMounts()
      .filter(({ op }) => isWrite(op) && op.body && !GUARDED.has(op.id))
      .map((mount) => ({
        mount,
        fields: propertiesOf(mount.op.body).filter(([, schema]) =>
          /^(line|text)$/.test(keywordsOf(schema).format ?? ''),
        ),
      }))
      .filter(({ fields }) => fields.length > 0)

  test('emoji, joined ones and letters of four bytes come back from every text column as they were sent', async () => {
    assert.ok(textFields().length > 0)
    for (const { mount, fields: all } of textFields()) {
      const fields = all.filter(([name]) => !STRICT.test(name))
      if (fields.length === 0) continue
      const full = (length: number) => '𝒜'.repeat(length)
      for (const value of [() => EMOJI, full]) {
        const texts = Object.fromEntries(
          fields.map(([name, schema]) => [name, value(keywordsOf(schema).maxLength ?? 20)]),
        )
        const ids = await idsFor(world, mount)
        const call = { ...requestTo(mount, ids), ...sentTo(mount.op, { ...bodyOf(mount.op, ids), ...texts }) }
        const written = await world.send(allowed(world, mount, call, ids))
        assert.equal(written.status, mount.op.status, `${mount.op.id} ${written.text}`)
        const returned = Object.keys(texts).filter((name) => name in Object(written.json))
        const expected = returned.map((name) => [name, texts[name]])
        const valuesOf = (json: Record<string, unknown>) => returned.map((name) => [name, json[name]])
        assert.deepEqual(valuesOf(written.json), expected, mount.op.id)
        // What was made at the address of a list is read below it.
        const isOfList = mount.method === 'POST' && written.json.id !== undefined
        const below = (path: string, id: string) => (isOfList ? path.replace('.json', `/${id}.json`) : path)
        if (mount.kind !== 'product' || !isReadable(below(mount.path, '{id}'))) continue
        const path = below(call.path, written.json.id)
        const read = await world.send({ method: 'GET', path, headers: { authorization: authorization() } })
        assert.deepEqual(valuesOf(read.json), expected, mount.op.id)
      }
    }
  })

  test('a name in emoji or in another alphabet is found by it', async () => {
    const { json } = await create('emoji@example.com', { first: EMOJI, last: 'Жук' })
    for (const part of ['👩‍👩‍👧‍👦', '𝒜', 'a 日', 'жук', 'ЖУК']) {
      assert.ok((await find(`search=${encodeURIComponent(part)}`)).includes(json.id), part)
    }
  })

  test('control and direction characters are refused in every line of text', async () => {
    const all = await inParallel(textFields(), async (one) => ({
      ...one,
      ids: await idsFor(world, one.mount),
    }))
    const before = await stateOf(world.ctx.database)
    for (const { mount, fields, ids } of all) {
      for (const char of ['\u0007', '\u001b', '\r\n', '\u0085', '\u202e', '\u2067']) {
        const texts = Object.fromEntries(fields.map(([name]) => [name, `a${char}b`]))
        const call = { ...requestTo(mount, ids), ...sentTo(mount.op, { ...bodyOf(mount.op, ids), ...texts }) }
        const answer = await world.send(allowed(world, mount, call, ids))
        assert.equal(answer.status, 400, `${mount.op.id} ${answer.text}`)
        const named = (answer.json.error.details as { field: string }[]).map(({ field }) => field)
        assert.deepEqual(named.toSorted(), fields.map(([name]) => name).toSorted())
      }
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('bytes that are no UTF-8 in a form are 400 and store nothing', async () => {
    const before = await stateOf(world.ctx.database)
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x28, 0x8c, 0x28], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('email=a@example.com&name=x'), Buffer.from(bytes)])
      const answer = await world.send({ method: 'POST', path: users(), headers: form(), body })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.json.error.code, 'invalid_form')
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('a percent-encoding that decodes to nothing is taken literally; one of NUL is refused', async () => {
    for (const text of ['%c3%28', '%ff', '%ed%a0%80', '%zz', '%']) {
      const body = `email=literal@example.com&name=${text}&is_migration=1`
      const { status, json } = await world.send({ method: 'POST', path: users(), headers: form(), body })
      assert.equal(status, 200)
      const head = { 'content-type': 'application/x-www-form-urlencoded', authorization: authorization() }
      const path = users().replace('.json', `/${json.id}.json`)
      const updated = await world.send({ method: 'PUT', path, headers: head, body: `first=${text}` })
      assert.equal(updated.json.first, text)
      const search = await world.send({ method: 'GET', path: `${users()}?search=${text}`, headers: form() })
      assert.ok(search.status === 200 || text === '%', search.text)
    }
    const before = await stateOf(world.ctx.database)
    for (const text of ['%00', 'a%00b']) {
      const body = `email=nul@example.com&name=${text}`
      assert.equal((await world.send({ method: 'POST', path: users(), headers: form(), body })).status, 400)
      const search = { method: 'GET', path: `${users()}?search=${text}`, headers: form() }
      assert.equal((await world.send(search)).status, 400)
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  const form = () => ({
    'content-type': 'application/x-www-form-urlencoded',
    authorization: authorization(),
  })
})
