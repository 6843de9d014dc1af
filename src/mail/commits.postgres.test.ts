import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testContext } from '../../test/app.ts'
import { queueMails } from '../../test/mails.ts'
import { officeOf } from '../jobs/deliver-mails.ts'
import { deliverDueMails, type Transport } from './deliver.ts'

test('mails that are taken at the same moment share a commit', async (t) => {
  const { ctx, drop } = await testContext('mail_commits')
  t.after(drop)
  await queueMails(ctx, 20)
  let taken = 0
  let round = Promise.withResolvers<void>()
  const transport: Transport = {
    reachesPeople: false,
    close() {},
    async deliver() {
      const { promise, resolve } = round
      if (++taken % 5 > 0) return promise
      round = Promise.withResolvers()
      resolve()
    },
  }
  await deliverDueMails(officeOf(ctx), () => transport, new AbortController().signal)
  const { rows } = await sql<{ commits: number }>`
    select count(distinct xmin::text) as commits from mails where state = 'sent'`.execute(ctx.db)
  assert.deepEqual([taken, rows[0]?.commits], [20, 4])
})
