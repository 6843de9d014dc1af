// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fold } from '../../src/lib/fold.ts'
import { promptly, spread } from './answers.ts'
import { inParallel, type Answer, type Call } from './client.ts'
import { POLLUTION, POLLUTION_AS_TEXT, slowTexts, SQL, WILDCARDS } from './corpus.ts'
import {
  allowed,
  allowedRequest,
  GUARDED,
  idsFor,
  mainMounts,
  placesOf,
  withQuery,
  withValue,
  type Place,
  LENIENT,
} from './requests.ts'
import { keywordsOf } from './values.ts'
import { startWorld, type World } from './world.ts'
import type { Mount } from '../../src/http/mounts.ts'

let world: World
before(async () => {
  world = await startWorld('injection')
})
after(() => world.close())

interface Trial {
  readonly mount: Mount
  readonly place: Place
  readonly text: string
}

const trialsOf = (texts: (place: Place) => readonly string[]): Trial[] =>
  mainMounts().flatMap((mount) =>
    placesOf(mount).flatMap((place) => texts(place).map((text) => ({ mount, place, text }))),
  )

async function run({ mount, place, text }: Trial): Promise<Answer> {
  const ids = await idsFor(world, mount)
  return world.send(allowed(world, mount, withValue(mount, ids, place, text), ids))
}

const nameOf = ({ mount, place, text }: Trial) =>
  `${mount.op.id} ${place.where} ${place.name} = ${text.slice(0, 60)}`

const asksForPassword = ({ mount, place }: Trial) =>
  GUARDED.has(mount.op.id) || place.name === 'current_password'

/** A few an hour are taken, each with another text. */
const isRationed = ({ mount }: Trial) => mount.op.id === 'keywright/contact-support'

const countUsers = async () => (await world.ctx.db.selectFrom('users').select('id').execute()).length

describe('S16: SQL injection', () => {
  /** Milliseconds that are far less than what the texts ask databases to sleep. */
  const SLEEP = 10_000

  /** What no error may tell, apart from the echo of what was sent. */
  const TELLTALE =
    /sqlite|postgres|syntax|SQLSTATE|near "|unterminated|relation|\bcolumn\b|statement|operator/i

  test('in every argument of every operation: refused or taken literally, at once and without a word of SQL', async () => {
    const before = await countUsers()
    const trials = spread(
      trialsOf(() => SQL),
      SQL.length,
      1_500,
    )
    assert.ok(trials.length > 1_000)
    const answers = await inParallel(trials, run)
    for (const [index, trial] of trials.entries()) {
      const answer = answers[index] ?? assert.fail()
      const name = nameOf(trial)
      const isRefused =
        [400, 404].includes(answer.status) ||
        (asksForPassword(trial) && [401, 429].includes(answer.status)) ||
        (isRationed(trial) && answer.status === 429)
      assert.ok(answer.status < 300 || isRefused, `${name}: ${answer.status} ${answer.text}`)
      // A sleep that was executed is so again; the machine may have been busy with other trials.
      if (answer.ms > SLEEP) assert.ok((await run(trial)).ms < SLEEP, `${name} sleeps`)
      if (isRefused) assert.doesNotMatch(JSON.stringify(answer.json.error), TELLTALE, name)
      else isLiteral(trial, answer)
    }
    assert.ok((await countUsers()) >= before)
  })

  /** What is put in order among versions finds others than itself, whatever it is; a proof of a site finds nothing. */
  const isFilter = ({ op }: Pick<Mount, 'op'>, { where, name }: Place) =>
    where === 'query' &&
    op.kind === 'read' &&
    !op.produces &&
    !/^(newer_than|older_than|version|public_key|s_ctx_\w+)$/.test(name)

  /** A filter found only what has its very text, fields chose none, and what was written is what was sent. */
  function isLiteral({ mount, place, text }: Trial, { json }: Answer) {
    const { op } = mount
    const name = nameOf({ mount, place, text })
    if (isFilter({ op }, place)) {
      const items = op.items === undefined ? [json] : [json[op.items]].flat()
      if (place.name === 'fields') for (const item of items) assert.deepEqual(item, {}, name)
      else for (const item of items) assert.ok(holds(item, text), `${name} found ${JSON.stringify(item)}`)
    }
    if (place.where !== 'body' || typeof json !== 'object') return
    const kept = json?.[place.name] as unknown
    if (typeof kept === 'string') assert.equal(kept, text.trim(), name)
  }

  /** Whether an item has the text in it, as the writes of other trials store it. */
  const holds = (item: object, text: string) => {
    // A search finds a license by its whole key, which is not shown.
    if ('kind' in item && item.kind === 'license') return true
    const texts = Object.values(item).filter((value) => typeof value === 'string')
    // In the host of an address what is escaped is read as what it stands for.
    const said = [text, ...(text === '%27' ? ["'"] : [])].map((one) => fold(one.trim()))
    return said.some((one) => fold(texts.join(' ')).includes(one))
  }

  test('wildcards of like are letters in a search', async () => {
    const { product } = world.seller
    const find = async (search: string) => {
      const path = `/v1/products/${product.id}/users.json?search=${encodeURIComponent(search)}`
      const answer = await world.send({
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${product.token}` },
      })
      assert.equal(answer.status, 200, answer.text)
      return (answer.json.users as { email: string; first: string; last: string }[]).map(
        ({ email, first, last }) => `${email} ${first} ${last}`,
      )
    }
    assert.ok((await find('example.com')).length > 1)
    for (const search of WILDCARDS) {
      for (const text of await find(search))
        assert.ok(text.toLowerCase().includes(search), `${search} found ${text}`)
    }
  })
})

/** Done, or incomplete; what was deleted is not there a second time. */
const isOrdinary = ({ method }: Mount, { status }: Answer) =>
  status < 300 || status === 402 || (method === 'DELETE' && status === 404)

test('S17: no body, form or query changes what all objects share', async () => {
  const mounts = mainMounts().filter(({ op }) => !GUARDED.has(op.id))
  const send = async (mount: Mount, change: (call: Call) => Call) =>
    world.send(await allowedRequest(world, mount, change))
  const typed = (call: Call, type: string, body: string) => ({
    ...call,
    body,
    headers: { ...LENIENT, 'content-type': type },
  })
  for (const [turn, mount] of mounts.entries()) {
    // All of them where one reader reads for all, then others from operation to operation.
    const some = <T>(texts: readonly T[]) =>
      turn < 5 ? texts : texts.filter((_, index) => index % 3 === turn % 3)
    for (const query of some(POLLUTION_AS_TEXT)) {
      const answer = await send(mount, ({ body: _body, headers: _headers, ...call }) => ({
        ...call,
        headers: LENIENT,
        path: withQuery(call.path, query),
      }))
      assert.ok(isOrdinary(mount, answer), `${mount.op.id} ${query} ${answer.text}`)
    }
    if (mount.method === 'GET') continue
    for (const body of some(POLLUTION)) {
      const answer = await send(mount, (call) => typed(call, 'application/json', body))
      assert.ok(isOrdinary(mount, answer) || answer.status === 400, `${mount.op.id} ${body} ${answer.text}`)
    }
    for (const body of some(POLLUTION_AS_TEXT)) {
      const answer = await send(mount, (call) => typed(call, 'application/x-www-form-urlencoded', body))
      assert.ok(isOrdinary(mount, answer), `${mount.op.id} ${body} ${answer.text}`)
    }
  }
  const bare = {} as Record<string, unknown>
  assert.equal(bare['polluted'], undefined)
  assert.equal(Object.getPrototypeOf(bare), Object.prototype)
  assert.equal(typeof bare.toString, 'function')
})

test('S18: adversarial text in every argument and header is answered within a second', async () => {
  const size = { path: 6_000, query: 6_000, body: 50_000 }
  const isText = ({ where, schema }: Place) => where === 'path' || keywordsOf(schema).type !== 'boolean'
  const fits =
    ({ where }: Place) =>
    (text: string) =>
      where === 'body' || encodeURIComponent(text).length < 15_000
  const all = trialsOf((place) => (isText(place) ? slowTexts(size[place.where]).filter(fits(place)) : []))
  const trials = spread(all, slowTexts(1).length, 700)
  assert.ok(trials.length > 500)
  for (const trial of trials) {
    const answer = await promptly(nameOf(trial), 1_000, () => run(trial))
    const isTooLarge = answer.status === 413 && trial.mount.op.refusesCards === true
    const isOrdinary = answer.status < 300 || [400, 404].includes(answer.status) || isTooLarge
    assert.ok(isOrdinary, `${nameOf(trial)}: ${answer.status} ${answer.text}`)
  }
  const path = `/v1/products/${world.seller.product.id}/users.json`
  for (const [turn, text] of slowTexts(6_000).entries()) {
    const value = encodeURIComponent(text).slice(0, 12_000)
    const values = [value, `FS 1:${value}`, `Sun, ${value}`, `application/json;${value}`]
    for (const [index, name] of HEADERS.entries()) {
      const headers = { [name]: values[(turn + index) % values.length] }
      const answer = await promptly(name, 1_000, () => world.send({ method: 'GET', path, headers }))
      assert.equal(answer.status, 401)
    }
  }
})

const HEADERS = ['authorization', 'date', 'content-type', 'idempotency-key', 'x-forwarded-for', 'host']
