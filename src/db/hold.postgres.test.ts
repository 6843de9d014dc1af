import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { systemScope } from '../access/scope.ts'
import { hold } from './hold.ts'

let app: TestApp
before(async () => (app = await startTestApp('hold_postgres')))
after(() => app.close())

test('while a row is held nobody else changes it, and rows that refer to it are added', async () => {
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const { database } = app.ctx
  await database.transaction(async (db) => {
    await hold(db, 'products', scope, product.id)
    await database.transaction(async (other) => {
      await sql`set local lock_timeout = 100`.execute(other)
      await sql`insert into api_tokens (developer_id, product_id, name, token_hash, hint, created)
        values (${developer.id}, ${product.id}, 'beside', 'beside', 'side', '2026-01-31 10:00:00')`.execute(
        other,
      )
      await assert.rejects(
        () => sql`update products set title = 'Other' where id = ${product.id}`.execute(other),
        { code: '55P03' },
      )
    })
  })
})
