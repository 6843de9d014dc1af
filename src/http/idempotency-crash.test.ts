// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, type TestContext } from '../../test/app.ts'
import { anotherProcess, dyingProcess } from '../../test/dying.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { type Context, transaction } from '../context.ts'
import { MINUTE } from '../lib/time.ts'
import { startServer } from '../start.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let ctx: TestContext
let seller: Seller
before(async () => {
  opened = await testContext('idempotency_crash')
  ctx = opened.ctx
  seller = await transaction(ctx, (tx) => createSeller(tx))
})
after(() => opened.drop())

interface Sent {
  readonly status: number
  readonly text: string
  readonly code: string | undefined
  readonly isReplay: boolean
}

type Create = (code: string) => Promise<Sent>

/** Runs a server on the context, and with it a caller that creates a coupon with its code as the key. */
async function serving<T>(context: Context, work: (create: Create) => Promise<T>): Promise<T> {
  const running = await startServer(context)
  const create: Create = async (code) => {
    const response = await fetch(`${running.address}/v1/products/${seller.product.id}/coupons.json`, {
      method: 'POST',
      body: JSON.stringify({ code, discount: 10, discount_type: 'percentage' }),
      headers: {
        authorization: `Bearer ${seller.product.token}`,
        'content-type': 'application/json',
        'idempotency-key': code,
      },
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      code: (JSON.parse(text) as { error?: { code: string } }).error?.code,
      isReplay: response.headers.get('idempotent-replayed') === 'true',
    }
  }
  try {
    return await work(create)
  } finally {
    await running.stop()
  }
}

/** How many coupons there are of a code, and events that one was made. */
async function traces(code: string): Promise<number[]> {
  const coupons = await ctx.db.selectFrom('coupons').select('id').where('code', '=', code).execute()
  const ids = new Set(coupons.map(({ id }) => String(id)))
  const events = await ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'coupon.created')
    .execute()
  const own = events.filter(({ data }) =>
    ids.has((JSON.parse(data ?? '{}') as { coupon_id: string }).coupon_id),
  )
  return [coupons.length, own.length]
}

/** A process that stands still once, before the transaction that follows its first claim of a key. */
function pausedProcess(isPaused: (resume: () => void) => void) {
  let state: 'before' | 'claimed' | 'paused' = 'before'
  const onStatement = (statement: string) => {
    if (state === 'before' && /insert into idempotency_keys/.test(statement)) state = 'claimed'
    if (state !== 'claimed' || !statement.startsWith('begin')) return
    state = 'paused'
    return new Promise<void>(isPaused)
  }
  return anotherProcess(opened, { onStatement })
}

/** Has a process of its own claim `code` and stand still until it is told to go on, or `work` is done. */
async function whilePaused(code: string, work: (goOn: () => Promise<Sent>) => Promise<void>): Promise<void> {
  const { promise: paused, resolve } = Promise.withResolvers<() => void>()
  const process = pausedProcess(resolve)
  await serving(process.ctx, async (create) => {
    const slow = create(code)
    const resume = await paused
    try {
      await work(() => {
        resume()
        return slow
      })
    } finally {
      resume()
    }
  })
  await process.close()
}

test('a holder that stood still past its lease stores nothing once another has taken its key over', async () => {
  await whilePaused('paused', async (goOn) => {
    ctx.clock.advance(MINUTE)
    await serving(ctx, async (create) => {
      const taken = await create('paused')
      assert.deepEqual([taken.status, taken.isReplay], [201, false])
      const late = await goOn()
      assert.deepEqual([late.status, late.code], [409, 'idempotency_in_flight'])
      assert.deepEqual(await traces('paused'), [1, 1])
      const again = await create('paused')
      assert.deepEqual([again.status, again.isReplay, again.text], [201, true, taken.text])
    })
  })
})

test('a holder that stood still past its lease does not free the key of who works under it now', async () => {
  await whilePaused('freed', async (goOnFirst) => {
    ctx.clock.advance(MINUTE)
    await whilePaused('freed', async (goOnSecond) => {
      assert.equal((await goOnFirst()).code, 'idempotency_in_flight')
      await serving(ctx, async (create) => {
        assert.equal((await create('freed')).code, 'idempotency_in_flight')
      })
      assert.equal((await goOnSecond()).status, 201)
    })
    assert.deepEqual(await traces('freed'), [1, 1])
  })
})

test('when the work was committed and its answer failed, a retry gets the stored reply', async () => {
  let transactions = 0
  const nudge = () => {
    transactions++
    if (transactions === 2) throw new Error('what follows the commit of the work fails')
  }
  await serving({ ...ctx, nudge }, async (create) => {
    assert.equal((await create('unanswered')).status, 500)
    assert.deepEqual(await traces('unanswered'), [1, 1])
    const again = await create('unanswered')
    assert.deepEqual([again.status, again.isReplay], [201, true])
    assert.deepEqual(await traces('unanswered'), [1, 1])
  })
})

test('a process that dies before any statement of the work leaves a key with which the work is done once', async () => {
  let n = 0
  for (let isDone = false; !isDone;) {
    n++
    const code = `dies-${n}`
    const process = dyingProcess(opened, n)
    const { status, text } = await serving(process.ctx, (create) => create(code))
    await process.close()
    isDone = status === 201
    if (!isDone) assert.ok(process.isDead() && status >= 500, `before statement ${n}: ${text}`)
    await serving(ctx, (create) => retry(create, code, isDone))
  }
  assert.ok(n > 8, `${n} statements`)
})

async function retry(create: Create, code: string, isDone: boolean): Promise<void> {
  assert.deepEqual(await traces(code), isDone ? [1, 1] : [0, 0], code)
  const retried = await create(code)
  assert.ok([201, 409].includes(retried.status), `${code}: ${retried.text}`)
  ctx.clock.advance(MINUTE)
  const later = await create(code)
  assert.deepEqual([later.status, later.isReplay], [201, retried.status === 201], code)
  assert.deepEqual(await traces(code), [1, 1], code)
}
