// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { productScope, visit } from '../../../test/carts.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import type { TxContext } from '../../context.ts'
import { DAY, HOUR, toUtcTime } from '../../lib/time.ts'
import { completeCart } from './service.ts'
import { cartsToRecover } from './recover-carts-queries.ts'
import { giveUpCarts } from './recover-carts.ts'
import { touchCart, type CartTouch } from './touch-cart.ts'
import { unsubscribeCart } from './unsubscribe-cart.ts'
import { updateCart } from './update-cart.ts'

let app: TestApp
let offer: Offer
before(async () => {
  app = await startTestApp('carts_crash')
  offer = await app.write((tx) => createOffer(tx, productScope(app), 'pro'))
})
after(() => app.close())

type Work = (tx: TxContext) => Promise<unknown>
let people = 0
const newAddress = () => `cut${++people}@example.com`

async function recovering(touch: Partial<CartTouch> = {}): Promise<{ email: string; work: Work }> {
  const email = newAddress()
  await visit(app, { email, plan_id: offer.planId, ...touch })
  const now = toUtcTime(app.ctx.clock.real() + HOUR)
  const found = await cartsToRecover(app.ctx.db, { environment: 0, now, real: 0, limit: 100 })
  return {
    email,
    work: (tx) =>
      giveUpCarts(
        tx,
        found.filter((cart) => cart.email === email),
        now,
      ),
  }
}

const FLOWS: Readonly<Record<string, readonly [() => Promise<Work>, readonly string[]]>> = {
  'a first visit': [
    async () => {
      const email = newAddress()
      const touch = { environment: 0, visitor: `the browser of ${email}`, email, ...offered() } as const
      return (tx) => touchCart(tx, productScope(app), touch)
    },
    ['carts', 'events'],
  ],
  'a visit with another address than that of a cart that was given up': [
    async () => {
      const visitor = `a browser ${newAddress()}`
      const { work } = await recovering({ visitor })
      await app.write(work)
      const email = newAddress()
      return (tx) => touchCart(tx, productScope(app), { environment: 0, visitor, email, first: 'Ann' })
    },
    ['carts', 'events'],
  ],
  'an update': [
    async () => {
      const { id } = await visit(app, { email: newAddress() })
      return (tx) => updateCart(tx, productScope(app), id, { ...offered(), first: 'Bea' })
    },
    ['carts', 'events'],
  ],
  'the completion of a cart beside one that was given up': [
    async () => {
      const { email, work } = await recovering()
      await app.write(work)
      const { id } = await visit(app, { email })
      const userId = Number(await userOf(app, email))
      return (tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 4999 })
    },
    ['carts', 'events'],
  ],
  'the first mail of recovery': [async () => (await recovering()).work, ['carts', 'events', 'mails']],
  'the end of the mails': [
    async () => {
      const { email, work } = await recovering()
      await app.write(work)
      const [mail] = await mailsTo(app, email)
      const [, token = ''] = /\/unsubscribe\/(\S+)/.exec(mail?.text ?? '') ?? []
      return (tx) => unsubscribeCart(tx, token, { ip: '192.0.2.1', requestId: 'cut' })
    },
    ['carts', 'events'],
  ],
}

const offered = () => ({ plan_id: offer.planId, pricing_id: offer.pricingId, billing_cycle: 12 as const })

for (const [name, [ready, changes]] of Object.entries(FLOWS)) {
  for (const way of ['fails', 'is cut'] as const) {
    test(`R04: ${name} is whole or not there, wherever a statement ${way}`, async () => {
      const work = await ready()
      const changed = await cutEverywhere(app, way, work)
      for (const table of changes) assert.ok(changed.includes(table), table)
      app.ctx.clock.advance(DAY)
    })
  }
}
