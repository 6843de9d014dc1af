import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { scopeOf } from '../../../test/sales.ts'
import { hashToken } from '../../lib/credentials.ts'
import { DAY, MINUTE, toUtcTime } from '../../lib/time.ts'
import { beginPaying } from './queries.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('begin_paying')
})
after(() => app.close())

test('a checkout that expires after it was looked up is not begun to be paid', async () => {
  const { pricingId } = await offerFor(app, 1)
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email: 'late@example.com' }),
  )
  const { id } = await app.ctx.db
    .selectFrom('checkouts')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  const begin = (at: number) => app.write(({ db }) => beginPaying(db, id, toUtcTime(at)))
  assert.equal(await begin(START + DAY), undefined)
  assert.equal((await begin(START + DAY - MINUTE))?.state, 'paying')
})
