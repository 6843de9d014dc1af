import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { livedPerson } from '../../../test/persons.ts'
import { scopeOf } from '../../../test/sales.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { eraseUsers } from './erase-job.ts'
import { eraseUser } from './erase-user.ts'

const statements: string[] = []
let app: TestApp
before(async () => {
  app = await startTestApp('erase_waits', { onStatement: (text) => void statements.push(text) })
})
after(() => app.close())

/** What was run in between, once each. */
async function ranBy(work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await work()
  return [...new Set(statements)]
}

/** The tables that a statement goes through from end to end. */
async function scannedBy(text: string): Promise<string[]> {
  const rows = await app.write(async ({ db }) => {
    const found = await sql<{
      detail: string
    }>`${sql.raw(`explain query plan ${text.replaceAll('?', 'null')}`)}`.execute(db)
    return found.rows
  })
  return rows.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
}

/** Of which a seller can have a million. */
const MANY = [
  'checkouts',
  'mails',
  'carts',
  'events',
  'payments',
  'installs',
  'licenses',
  'charges',
  'audit_log',
]

test('nobody waits for who is erased: what is done at once goes through no table of which there can be a million', async () => {
  const { id } = await livedPerson(app, { email: 'waits@example.com', last: 'Waits' })
  const ran = await ranBy(() => app.write((tx) => eraseUser(tx, scopeOf(app), id)))
  assert.ok(ran.some((text) => text.startsWith('delete from "checkouts"')))
  for (const text of ran.filter((one) => /^(select|update|delete)\b/.test(one)))
    for (const table of await scannedBy(text)) assert.ok(!MANY.includes(table), `${table}: ${text}`)
})

test('nobody waits for the job that erases: it looks for rows beside the writes, and writes by their keys alone', async () => {
  const { id } = await livedPerson(app, { email: 'looks@example.com', last: 'Looks' })
  await app.write((tx) => eraseUser(tx, scopeOf(app), id))
  await runDue(app.ctx, [chainAudit])
  const ran = await ranBy(() => runDue(app.ctx, [eraseUsers]))
  const written = ran.filter((one) =>
    /^(update|delete from) "mails"|^(update|delete from) "checkouts"/.test(one),
  )
  assert.ok(written.length > 1, ran.join('\n'))
  for (const text of written) {
    assert.match(text, /where id in \(/)
    assert.deepEqual(await scannedBy(text), [], text)
  }
})
