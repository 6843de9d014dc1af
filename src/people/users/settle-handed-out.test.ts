import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { toUtcTime } from '../../lib/time.ts'
import { settleKeys } from './settle-keys.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('settle_handed_out')
})
after(() => app.close())

test('a pair that is settled goes on with each site but those for which one signs that was handed out since', async () => {
  const owner = await createOwner(app, 'former@example.com')
  const user_id = Number(owner.id)
  const { database, db, keys } = app.ctx
  const created = toUtcTime(app.ctx.clock.real())
  const installOf = async (signs: boolean | null) => {
    const id = Number((await createInstallOf(app, owner)).id)
    await database.transaction(async (tx) => {
      await tx.updateTable('installs').set({ reach: 'own' }).where('id', '=', id).execute()
      await tx.deleteFrom('user_key_installs').where('install_id', '=', id).execute()
      if (signs === null) return
      const pair = { public_key: `pk_handed_${id}`, secret_key: keys.seal('sk_x', 'user_keys.secret_key') }
      const of = { product_id: app.seller.product.id, user_id, reach: 'own', email_folded: null } as const
      const handed = await tx
        .insertInto('user_keys')
        .values({ ...pair, ...of, install_id: id, created })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('user_key_installs')
        .values({ user_key_id: handed.id, install_id: id, signs })
        .execute()
    })
    return id
  }
  const installs = [await installOf(null), await installOf(false), await installOf(true)]
  await database.transaction((tx) =>
    tx.updateTable('product_users').set({ reach: 'own' }).where('user_id', '=', user_id).execute(),
  )
  await settleKeys(database, keys)
  const settled = await db
    .selectFrom('user_key_installs')
    .innerJoin('user_keys', 'user_keys.id', 'user_key_installs.user_key_id')
    .select('user_key_installs.install_id')
    .where('user_keys.user_id', '=', user_id)
    .where('user_keys.public_key', 'not like', 'pk_handed_%')
    .orderBy('user_key_installs.install_id')
    .execute()
  assert.deepEqual(
    settled.map(({ install_id: id }) => id),
    installs.slice(0, 2),
  )
})
