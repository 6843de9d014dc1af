import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { storedTexts } from '../../../test/command-line.ts'
import { offerFor } from '../../../test/licenses.ts'
import { payCheckout } from '../../../test/reports.ts'
import { scopeOf } from '../../../test/sales.ts'
import { TEST_SECRET } from '../../../test/secret.ts'
import { resealColumn } from '../../db/reseal.ts'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { Keyring } from '../../lib/keyring.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('rotated_charge')
})
after(() => app.close())

const NEXT = 'the next secret of the tests: 32 characters long'

test('a charge that waits for its buyer is paid by another method after its secret was replaced and dropped', async () => {
  const { pricingId } = await offerFor(app, 5)
  const open = (email: string) =>
    app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  const waiting = await open('waits@example.com')
  assert.equal((await payCheckout(app, waiting, 'test_needs_confirmation')).json.state, 'pending')
  for (const column of SEALED_COLUMNS) {
    const { unreadable } = await resealColumn(app.ctx.database, column, Keyring.of(NEXT, [TEST_SECRET]))
    assert.deepEqual(unreadable, [])
  }
  const [, kid = ''] = Keyring.of(TEST_SECRET).seal('', 'any').split('.')
  const left = (await storedTexts(app.ctx.database)).filter(({ value }) => value.includes(`v1.${kid}.`))
  assert.deepEqual(left, [], 'nothing is sealed with the former secret, inside other text either')
  Object.assign(app.ctx, { keys: Keyring.of(NEXT) })
  const paid = await payCheckout(app, waiting, 'test_succeeds')
  assert.deepEqual([paid.status, paid.json.state], [200, 'paid'], paid.text)
})
