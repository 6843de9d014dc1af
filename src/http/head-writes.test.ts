// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createVersion } from '../../test/archives.ts'
import { allowed, GUARDED, idsFor, MOUNTS, requestTo } from '../../test/security/requests.ts'
import { changesBetween, dumpOf } from '../../test/security/tables.ts'
import { startWorld, type World } from '../../test/security/world.ts'
import { transaction } from '../context.ts'
import { updateDeployment } from '../deployments/versions/service.ts'
import { systemScope } from '../access/scope.ts'

let world: World
before(async () => {
  world = await startWorld('head_writes')
})
after(() => world.close())

/** What a HEAD leaves behind all the same: who called is in the audit log. */
const LEFT = new Set(['audit_log'])

/** Read by users only who have followed a mailed link, which no key is. */
const OF_A_PERSON: ReadonlySet<string> = new Set(['keywright/export-user'])

test('HEAD writes nothing, on every operation that reads, wherever it stands', async () => {
  const { ctx, seller } = world
  const scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
  await transaction(ctx, async (tx) => {
    const limited = Number(await createVersion(tx, scope))
    await updateDeployment(tx, scope, limited, { release_mode: 'released', limit: 1 })
  })
  const reads = MOUNTS.filter(
    ({ method, served, op, kind }) =>
      method === 'GET' && served && !GUARDED.has(op.id) && !(kind === 'user' && OF_A_PERSON.has(op.id)),
  )
  assert.ok(reads.length > 200, `${reads.length}`)
  const calls = []
  for (const mount of reads) {
    const own = await idsFor(world, mount)
    calls.push({ mount, call: allowed(world, mount, { ...requestTo(mount, own), method: 'HEAD' }, own) })
  }
  await world.recorded()
  const before = await dumpOf(ctx.database, LEFT)
  const refused: string[] = []
  for (const { mount, call } of calls) {
    const { status, text } = await world.send(call)
    assert.equal(text, '', mount.op.id)
    if (status >= 300) refused.push(`${status} ${mount.kind} ${mount.op.id} ${call.path}`)
  }
  assert.deepEqual(refused, [])
  await world.recorded()
  assert.deepEqual(changesBetween(before, await dumpOf(ctx.database, LEFT)), [])
})
