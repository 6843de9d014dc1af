import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { TEST_SECRET } from '../../../test/secret.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { checkSealed } from '../../health/check-database.ts'
import { resealColumn } from '../../db/reseal.ts'
import { sealClear } from '../../db/seal-clear.ts'
import { placeOf, SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { Keyring } from '../../lib/keyring.ts'

let app: TestApp
let receiver: Receiver
before(async () => {
  app = await startTestApp('webhook_answers', { config: { mode: 'development' } })
})
after(() => app.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => endListeners(app, [receiver]))

const SEALED_FORM = /^v1\.[0-9a-f]{8}\.[\w-]{38,}$/
const answerIn = ({ answer }: { readonly answer: string | null }) => answer

const get = async (path: string) => (await app.call('GET', `/products/${app.seller.product.id}${path}`)).json

test('what a listener answers is stored sealed, as it may repeat what it was sent, and shown as it was', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response, { body }) => response.end(body)
  await happen(app, [1])
  await deliverAll(app)
  const { attempts } = await get(`/webhooks/${id}/attempts.json`)
  assert.equal(attempts[0].answer, receiver.received[0]?.body)
  assert.match(attempts[0].answer, /user\.name\.changed/)
  const rows = await app.ctx.db
    .selectFrom('delivery_attempts')
    .select('answer')
    .where('webhook_id', '=', Number(id))
    .execute()
  assert.equal(rows.length, 1)
  assert.doesNotMatch(rows[0]?.answer ?? '', /user/)
})

test('an answer that an earlier version has left in clear is shown, and no secret is to open it', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1, 2])
  await deliverAll(app)
  const all = () =>
    app.ctx.db.selectFrom('delivery_attempts').select(['id', 'answer']).where('webhook_id', '=', Number(id))
  const [first, second] = await all().orderBy('id').execute()
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('delivery_attempts')
      .set({ answer: 'v1.4.2 as it came.' })
      .where('id', '=', first?.id ?? 0)
      .execute(),
  )
  const { attempts } = await get(`/webhooks/${id}/attempts.json`)
  assert.deepEqual(
    attempts.map(({ answer }: { answer: string }) => answer),
    ['ok', 'v1.4.2 as it came.'],
  )
  assert.equal((await checkSealed(app.ctx.database, app.ctx.keys)).status, 'ok')
  const keys = Keyring.of('x'.repeat(40), [TEST_SECRET])
  const column = SEALED_COLUMNS.find((one) => placeOf(one) === 'delivery_attempts.answer') ?? assert.fail()
  const { resealed, unreadable } = await resealColumn(app.ctx.database, column, keys)
  assert.deepEqual([resealed >= 1, unreadable], [true, []])
  assert.equal(
    (
      await all()
        .where('id', '=', first?.id ?? 0)
        .executeTakeFirst()
    )?.answer,
    'v1.4.2 as it came.',
  )
  assert.notEqual(
    (
      await all()
        .where('id', '=', second?.id ?? 0)
        .executeTakeFirst()
    )?.answer,
    second?.answer,
  )
})

test('answers that an earlier version has left in clear are sealed at a start, however they begin, and are what they were', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1])
  await deliverAll(app)
  const { db, database, keys } = app.ctx
  const attempts = db.selectFrom('delivery_attempts').where('webhook_id', '=', Number(id)).orderBy('id')
  const made = await attempts.selectAll().executeTakeFirstOrThrow()
  assert.equal(made.is_sealed, true, 'what is written sealed is not judged')
  /** As an earlier version writes it: it knows of no judging. */
  const leave = async (answers: readonly (string | null)[]) => {
    const { id: _, is_sealed: __, ...known } = made
    const rows = answers.map((answer) => ({ ...known, answer }))
    await database.transaction((tx) => tx.insertInto('delivery_attempts').values(rows).execute())
  }
  const stored = async () => (await attempts.select('answer').execute()).map(({ answer }) => answer)
  const shown = async () => (await get(`/webhooks/${id}/attempts.json?count=50`)).attempts.map(answerIn)
  const sealed = keys.seal('sealed before', 'delivery_attempts.answer')
  const clear = ['v1.4.2 as it came.', 'v1.0123abcd.', `v1.0123abcd.${'x'.repeat(40)}!`, '']
  await leave([sealed, null, ...clear])
  const before = await shown()
  assert.deepEqual(before, [...clear.toReversed(), null, 'sealed before', 'ok'])
  await sealClear(database, keys)
  assert.deepEqual(await shown(), before)
  const [first, second, none, ...rest] = await stored()
  assert.deepEqual([first, second, none], [made.answer, sealed, null])
  for (const answer of rest) assert.match(answer ?? '', SEALED_FORM)

  await leave(Array.from({ length: 450 }, (_, n) => `${n} by a process that ends`))
  assert.match((await shown())[0], /^449 by a process/)
  await sealClear(database, keys)
  const all = await stored()
  assert.equal(all.length, 457)
  for (const answer of all) assert.ok(answer === null || SEALED_FORM.test(answer), answer ?? '')
  await sealClear(database, keys)
  assert.deepEqual(await stored(), all)
})
