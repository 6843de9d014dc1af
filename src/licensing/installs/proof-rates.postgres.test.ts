import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOwner, newUid } from '../../../test/installs.ts'
import { optInProven } from '../../../test/opt-in.ts'
import { GENEROUS } from '../../../test/rates.ts'

const BURST = 1
/** So many sites as of an unlimited license a user connects at once. */
const MOST = 10 * BURST
/** How often each transaction is run again. */
const AGAIN = 2

let app: TestApp
before(async () => {
  const licenses = { perSecond: 1 / 3_600_000, burst: BURST }
  app = await startTestApp('proof_rates_again', { config: { rate: { ...GENEROUS, licenses } } })
})
after(() => app.close())

test('a proof counts once, though its transaction is run again', async () => {
  const owner = await createOwner(app)
  await app.ctx.database.transaction(async (db) => {
    await sql`create sequence runs`.execute(db)
    await sql`create function fail_first() returns trigger language plpgsql as ${sql.raw(`$$
      begin
        if nextval('runs') % ${AGAIN + 1} <> 0 then
          raise exception 'not now' using errcode = '40001';
        end if;
        return new;
      end $$`)}`.execute(db)
    await sql`create trigger fail_first before insert on installs for each row execute function fail_first()`.execute(
      db,
    )
  })
  for (let n = 0; n < MOST; n++) await optInProven(app, owner, { site_uid: newUid() })
  await assert.rejects(optInProven(app, owner, { site_uid: newUid() }), /^Error: 429 /)
})
