import assert from 'node:assert/strict'
import { GatewayUnreachable } from '../src/gateways/gateway.ts'
import { settleTaxes } from '../src/sales/taxes/settle-taxes-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import type { PaymentRow } from '../src/sales/payments/schema.ts'
import { vatIdRegister } from '../src/sales/taxes/vat-ids.ts'
import { START, startTestApp, type TestApp, type TestContext } from './app.ts'
import { asDeveloper } from './callers.ts'
import { overTestGateway } from './charges.ts'
import { openSandboxCheckout } from './checkouts.ts'
import { offerFor } from './licenses.ts'
import { boughtBy, payCheckout } from './reports.ts'
import { scopeOf } from './sales.ts'

export const FRENCH = 'FR83404833048'

/** What tax offices and gateway do. */
interface Others {
  /** Whether the offices know the id; null: they do not answer. */
  office: boolean | null
  /** The keys under which the gateway was asked to give back. */
  given: string[]
  /** The answers of the gateway to refunds are lost, or it refuses them. */
  isLost: boolean
  isRefused: boolean
}

const atFirst = (): Others => ({ office: null, given: [], isLost: false, isRefused: false })

/** A German shop whose tax offices and gateway do as they are told. */
export async function provisionalShop(name: string) {
  const app = await startTestApp(name)
  const others = atFirst()
  overTestGateway(app, (inner) => ({
    async refund(request) {
      others.given.push(request.key)
      if (others.isRefused) return { outcome: 'refused', reason: 'refused', message: 'Not today.' }
      if (others.isLost) throw new GatewayUnreachable('Its answer is lost.')
      return inner.refund(request)
    },
  }))
  const vatIds = vatIdRegister({
    async isKnown() {
      if (others.office === null) throw new Error('The office does not answer.')
      return others.office
    },
  })
  Object.assign(app.ctx, { vatIds })
  const developer = await asDeveloper(app)
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  assert.ok((await developer('PUT', '/tax_settings.json', settings)).status < 300)
  const { pricingId } = await offerFor(app, 1)
  return { app, developer, others, ...worksOf(app, others, pricingId) }
}

function worksOf(app: TestApp, others: Others, pricingId: number) {
  let buyers = 0
  return {
    /** Everything is as at first. */
    reset() {
      app.ctx.clock.set(START)
      Object.assign(others, atFirst())
    },
    /** What a business in France bought while nobody could check its VAT id. */
    async sold() {
      const email = `business${++buyers}@example.com`
      const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
      const body = { country_code: 'fr', region: 'IDF', vat_id: FRENCH }
      const changed = await app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
      assert.equal(changed.status, 200, changed.text)
      return boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
    },
    taxOf: ({ id }: Pick<PaymentRow, 'id'>) =>
      app.ctx.db
        .selectFrom('provisional_taxes')
        .selectAll()
        .where('payment_id', '=', id)
        .executeTakeFirstOrThrow(),
    /** What is due of the job some time later. */
    async runAfter(ms: number, ctx: TestContext = app.ctx) {
      app.ctx.clock.advance(ms)
      await runDue(ctx, [settleTaxes])
    },
  }
}
