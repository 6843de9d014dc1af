// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, type Place } from '../../test/command-line.ts'
import type { NewMail } from '../mail/queries.ts'

test('a preview shows a mail as it is sent, with the name of its product', async (t) => {
  const place = await openPlace(t, 'mail_preview')
  const boot = await place.run(
    ['bootstrap', '--email', 'you@example.com', '--product', 'My <product>', '--json'],
    { input: 'correct horse battery staple' },
  )
  assert.equal(boot.code, 0, boot.stderr)
  const [list, html, json, unknown] = await Promise.all([
    place.run(['mail', 'list', '--json']),
    place.run(['mail', 'preview', 'cart_recovery.1', '--product', '1', '--html']),
    place.run(['mail', 'preview', 'license', '--product', '1', '--json']),
    place.run(['mail', 'preview', 'nothing']),
  ])
  assert.ok(JSON.parse(list.stdout).templates.includes('renewal_failed.3'))
  assert.match(html.stdout, /^<!doctype html>[^]*My &lt;product&gt;[^]*No more mails like this one/)
  assert.equal(JSON.parse(json.stdout).subject, 'Your license for My <product>')
  assert.equal(unknown.code, 2)
})

async function addMails({ database }: Place, rows: readonly Partial<NewMail>[]): Promise<void> {
  const mail: NewMail = {
    developer_id: 1,
    kind: 'license',
    recipient: 'reader@example.com',
    content: 'sealed',
    state: 'failed',
    attempts: 6,
    due_at: null,
    lease_until: 0,
    fence: 1,
    created_at: 0,
    keep_until: 1,
  }
  await database.transaction((db) =>
    db
      .insertInto('mails')
      .values(rows.map((row) => ({ ...mail, ...row })))
      .execute(),
  )
}

test('mails that were given up are sent again, one or all; what was sent or is no longer kept is not', async (t) => {
  const place = await openPlace(t, 'mail_retry')
  assert.equal((await place.run(['migrate'])).code, 0)
  const gone = { content: null, keep_until: null }
  const far = 9_000_000_000_000
  await addMails(place, [
    {},
    {},
    { ...gone, state: 'sent' },
    gone,
    { state: 'pending', keep_until: null, due_at: far, failing_since: 1 },
    {},
  ])
  assert.equal((await place.ask(['mail', 'retry', '--id', '1'])).count, 1)
  assert.equal((await place.ask(['mail', 'retry', '--id', '5'])).count, 1)
  assert.equal((await place.ask(['mail', 'retry', '--failed'])).count, 2)
  assert.equal((await place.ask(['mail', 'retry', '--failed'])).count, 0)
  const refused = [['--id', '3'], ['--id', '4'], ['--id', '77'], []]
  const ended = await Promise.all(refused.map((args) => place.run(['mail', 'retry', ...args])))
  assert.ok(ended.every(({ code }) => code !== 0))
  const rows = await place.database.reader.selectFrom('mails').selectAll().orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ state, attempts, keep_until }) => [state, attempts, keep_until]),
    [
      ['pending', 0, null],
      ['pending', 0, null],
      ['sent', 6, null],
      ['failed', 6, null],
      ['pending', 0, null],
      ['pending', 0, null],
    ],
  )
  assert.ok((rows[4]?.due_at ?? far) < far)
  const audited = await place.database.reader
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'cli/mail-retry')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audited.map(({ details }) => JSON.parse(String(details))),
    [{ mail: 1 }, { mail: 5 }, { failed: 2 }],
  )
})
