import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openAccount, type Client } from '../../test/client.ts'

let app: TestApp
let client: Client
before(async () => {
  app = await startTestApp('trigger')
  client = await openAccount(app, 'trigger')
})
after(() => app.close())

test('the latest event of a type, or one that is only a test, goes to the listeners that are on and told of it', async () => {
  const none = await client.run(['trigger', 'test', '--json'])
  assert.deepEqual([none.code, JSON.parse(none.stderr).error.code], [1, 'no_listener'])
  const make = async (...types: string[]) =>
    (await client.ask(['listener', 'create', '--url', 'https://hooks.example.com/x', ...types])).id
  const ofAll = await make()
  const ofPlans = await make('--types', 'plan.created')
  const ofLicenses = await make('--types', 'license.created')
  const off = await make('--no-is-active')
  assert.deepEqual((await client.ask(['trigger', 'test'])).listeners.toSorted(), [ofAll, ofPlans, ofLicenses])
  const early = await client.run(['trigger', 'plan.created', '--json'])
  assert.deepEqual([early.code, JSON.parse(early.stderr).error.code], [1, 'no_event'])
  await client.ask(['plan', 'create', '--name', 'team', '--title', 'Team'])
  const { event_id: event, listeners } = await client.ask(['trigger', 'plan.created'])
  assert.deepEqual(listeners.toSorted(), [ofAll, ofPlans])
  const { deliveries } = await client.ask(['listener', 'deliveries', ofPlans])
  assert.ok(
    deliveries.some(({ event_id: id }: { event_id: string }) => id === event),
    JSON.stringify(deliveries),
  )
  const one = await client.run(['trigger', 'test', '--listener', off, '--json'])
  assert.equal(JSON.parse(one.stderr).error.code, 'webhook_inactive')
})
