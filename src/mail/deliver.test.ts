import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext as Test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { START, testContext, type TestContext } from '../../test/app.ts'
import { anotherProcess, dyingProcess, type Opened } from '../../test/dying.ts'
import { queueMails } from '../../test/mails.ts'
import type { Context } from '../context.ts'
import { deliverMails, officeOf } from '../jobs/deliver-mails.ts'
import { runDue } from '../jobs/worker.ts'
import { Keyring } from '../lib/keyring.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts'
import { deliverDueMails, MailPutOff, type Mail, type Transport } from './deliver.ts'

const goOn = new AbortController().signal

const deliver = (ctx: Context, transport: Transport, stopping: AbortSignal) =>
  deliverDueMails(officeOf(ctx), () => transport, stopping)

async function open(t: Test): Promise<Opened> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keywright-mail-'))
  const opened = await testContext('mails')
  t.after(async () => {
    await opened.drop()
    await rm(dataDir, { recursive: true })
  })
  const { ctx, databaseOptions } = opened
  return { ctx: { ...ctx, config: { ...ctx.config, dataDir } }, databaseOptions }
}

const rowsOf = (ctx: TestContext) => ctx.db.selectFrom('mails').selectAll().orderBy('id').execute()
const rowOf = (ctx: TestContext) => ctx.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()

/** Stands for the world outside: takes every mail and counts them. */
function recorder(onMail: (mail: Mail) => unknown = () => {}) {
  const mails: Mail[] = []
  const transport: Transport = {
    reachesPeople: true,
    close() {},
    async deliver(mail) {
      mails.push(mail)
      await onMail(mail)
    },
  }
  return { mails, transport }
}

test('a mail is handed over as it was queued, and its content is gone afterwards', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  const { mails, transport } = recorder()
  ctx.clock.advance(HOUR)
  assert.equal(await deliver(ctx, transport, goOn), 'done')
  const row = await rowOf(ctx)
  assert.deepEqual(mails, [
    {
      id: row.id,
      recipient: 'reader1@example.com',
      from: { name: 'Keywright', address: 'no-reply@keywright.test' },
      sender: null,
      replyTo: null,
      messageId: `<mail-${row.id}.${START}@keywright.test>`,
      date: 'Sat, 31 Jan 2026 10:00:00 +0000',
      unsubscribe: null,
      files: [],
      subject: 'Confirm your address for ',
      text: mails[0]?.text,
      html: mails[0]?.html,
    },
  ])
  assert.match(mails[0]?.text ?? '', /^Hello Reader,\n[^]*\nhttp:\/\/keywright\.test\/secret-link\n/)
  assert.match(mails[0]?.html ?? '', /<a href="http:\/\/keywright\.test\/secret-link"/)
  const { state, content, due_at, sent_at, lease_until, last_error } = row
  assert.deepEqual([state, content, due_at, sent_at], ['sent', null, null, START + HOUR])
  assert.deepEqual([lease_until, last_error], [0, null])
})

test('eight processes deliver two hundred mails, each exactly once', async (t) => {
  const opened = await open(t)
  await queueMails(opened.ctx, 200)
  const { mails, transport } = recorder(() => turn())
  const others = Array.from({ length: 8 }, () => anotherProcess(opened))
  const work = async ({ ctx }: (typeof others)[number]) => {
    while ((await deliver(ctx, transport, goOn)) === 'more');
  }
  await Promise.all(others.map(work))
  await Promise.all(others.map((other) => other.close()))
  assert.equal(mails.length, 200)
  assert.equal(new Set(mails.map(({ id }) => id)).size, 200)
  assert.ok((await rowsOf(opened.ctx)).every(({ state, content }) => state === 'sent' && content === null))
})

test('a mail that is put off comes again after 1, 5, 30 minutes, 2 and 5 hours, and is then given up', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  const { mails, transport } = recorder(() => {
    throw new MailPutOff(`refused\0${'!'.repeat(1000)}`)
  })
  for (const [index, wait] of [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR].entries()) {
    await deliver(ctx, transport, goOn)
    const { state, attempts, due_at, lease_until, last_error, content } = await rowOf(ctx)
    assert.deepEqual([state, attempts, due_at], ['pending', index + 1, ctx.clock.real() + wait])
    assert.deepEqual([lease_until, last_error], [0, `refused${'!'.repeat(493)}`])
    assert.notEqual(content, null)
    ctx.clock.advance(wait - 1)
    await deliver(ctx, transport, goOn)
    assert.equal(mails.length, index + 1, 'not before its time')
    ctx.clock.advance(1)
  }
  await deliver(ctx, transport, goOn)
  const { state, attempts, due_at, content, keep_until } = await rowOf(ctx)
  assert.deepEqual([state, attempts, due_at], ['failed', 6, null])
  assert.deepEqual([content === null, keep_until], [false, ctx.clock.real() + 30 * DAY])
  assert.equal(mails.length, 6)
})

test('a mail that arrives at a second attempt is sent, and the failure is forgotten', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  const { mails, transport } = recorder(() => {
    if (mails.length === 1) throw new MailPutOff('busy')
  })
  await deliver(ctx, transport, goOn)
  ctx.clock.advance(MINUTE)
  await deliver(ctx, transport, goOn)
  const { state, attempts, last_error } = await rowOf(ctx)
  assert.deepEqual([state, attempts, last_error], ['sent', 1, null])
  assert.equal(mails[0]?.messageId, mails[1]?.messageId)
})

test('one mail that fails holds up no other', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx, 12)
  const { transport } = recorder(({ recipient }) => {
    if (recipient === 'reader1@example.com') throw new Error('refused')
  })
  await deliver(ctx, transport, goOn)
  const states = (await rowsOf(ctx)).map(({ state }) => state)
  assert.deepEqual(states, ['pending', ...Array.from({ length: 11 }, () => 'sent')])
})

test('a delivery that cannot be recorded is an error, not a success', async (t) => {
  const opened = await open(t)
  await queueMails(opened.ctx)
  const { mails, transport } = recorder()
  const process = dyingProcess(opened, 6)
  await assert.rejects(deliver(process.ctx, transport, goOn), /dead/)
  await process.close()
  assert.equal(mails.length, 1)
})

test('a mail that cannot be opened fails without a word of its content', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  const { mails, transport } = recorder()
  await deliver({ ...ctx, keys: Keyring.of('another secret of 32 characters, or more') }, transport, goOn)
  assert.deepEqual(mails, [])
  const { state, last_error } = await rowOf(ctx)
  assert.deepEqual(
    [state, last_error],
    ['pending', 'The secret that sealed the text in mails.content is not known.'],
  )
})

test('a delivery that does not end within 30 seconds has failed', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  let given: AbortSignal | undefined
  const transport: Transport = {
    ...recorder().transport,
    deliver(_, signal) {
      given = signal
      return new Promise(() => {})
    },
  }
  const real = globalThis.setTimeout
  let expire: (() => void) | undefined
  t.mock.method(globalThis, 'setTimeout', (work: () => void, ms: number, ...more: []) => {
    if (ms !== 30 * SECOND) return real(work, ms, ...more)
    expire = work
    return real(() => {}, 0)
  })
  const delivering = deliver(ctx, transport, goOn)
  while (!given) await turn()
  assert.equal(given.aborted, false)
  assert.ok(expire, 'after 30 seconds')
  expire()
  assert.equal(given.aborted, true)
  await delivering
  const { failing_since, last_error } = await rowOf(ctx)
  assert.deepEqual([failing_since, last_error], [START, 'The delivery took longer than 30 seconds.'])
})

test('mails that wait behind slow ones go out once, whoever delivers them', async (t) => {
  const opened = await open(t)
  const { ctx } = opened
  await queueMails(ctx, 20)
  const rival = anotherProcess(opened)
  const rivals = recorder()
  let round = Promise.withResolvers<void>()
  const { mails, transport } = recorder(async () => {
    const { promise, resolve } = round
    if (mails.length % 5 > 0) return promise
    round = Promise.withResolvers()
    ctx.clock.advance(20 * SECOND)
    await deliver(rival.ctx, rivals.transport, goOn)
    resolve()
  })
  await deliver(ctx, transport, goOn)
  await rival.close()
  assert.deepEqual([mails.length, rivals.mails.length], [15, 5])
  assert.equal(new Set([...mails, ...rivals.mails].map(({ id }) => id)).size, 20)
})

test('mails that are in somebody’s hands are not due', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx)
  assert.equal(await deliverMails.isDue(ctx), true)
  const due: boolean[] = []
  const { transport } = recorder(async () => due.push(await deliverMails.isDue(ctx)))
  await deliver(ctx, transport, goOn)
  assert.deepEqual(due, [false])
})

test('a stop lets the mails in hand go out and leaves the others to be delivered at once', async (t) => {
  const { ctx } = await open(t)
  await queueMails(ctx, 20)
  const stopping = new AbortController()
  const { mails, transport } = recorder(() => stopping.abort())
  await deliver(ctx, transport, stopping.signal)
  assert.ok(mails.length >= 1 && mails.length <= 5, `${mails.length} were in hand`)
  const after = recorder()
  await deliver(ctx, after.transport, goOn)
  assert.equal(mails.length + after.mails.length, 20)
})

test('a process that dies at any statement loses no mail, and a second delivery replaces the first', async (t) => {
  const opened = await open(t)
  const { ctx } = opened
  const folder = join(ctx.config.dataDir, 'mail')
  let total = 0
  let repeated = 0
  for (let n = 1, isDead = true; isDead; n++) {
    await queueMails(ctx, 3)
    total += 3
    const process = dyingProcess(opened, n)
    await runDue(process.ctx, [deliverMails]).catch(() => {})
    isDead = process.isDead()
    await process.close()
    const files: string[] = await readdir(folder).catch(() => [])
    for (const { id, state, content, sent_at, due_at } of await rowsOf(ctx)) {
      const isSent = state === 'sent'
      assert.deepEqual([content === null, sent_at !== null, due_at === null], [isSent, isSent, isSent])
      assert.ok(!isSent || files.includes(`${id}.eml`), `died before statement ${n}: ${id} was not delivered`)
      if (!isSent && files.includes(`${id}.eml`)) repeated++
    }
    ctx.clock.advance(MINUTE)
    await runDue(ctx, [deliverMails])
    const rows = await rowsOf(ctx)
    assert.ok(rows.every(({ state }) => state === 'sent'))
    assert.deepEqual((await readdir(folder)).toSorted(), rows.map(({ id }) => `${id}.eml`).toSorted())
    assert.equal(rows.length, total)
  }
  assert.ok(repeated > 0, 'some died between the delivery and the row')
})
