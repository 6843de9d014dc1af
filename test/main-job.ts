import assert from 'node:assert/strict'
import { runDue } from '../src/jobs/worker.ts'
import { sandboxToken } from '../src/sales/checkouts/signatures.ts'
import { SECOND } from '../src/lib/time.ts'
import { startTestApp, type CallOptions, type Method, type TestApp } from './app.ts'
import { asDeveloper, type CallAs } from './callers.ts'

/** A product that is sold in its sandbox, all over HTTP, whose clock is moved on. */
export class SoldProduct {
  readonly app: TestApp
  readonly developer: CallAs

  private constructor(app: TestApp, developer: CallAs) {
    this.app = app
    this.developer = developer
  }

  static async open(name: string): Promise<SoldProduct> {
    const app = await startTestApp(name)
    return new SoldProduct(app, await asDeveloper(app))
  }

  /** The answer to a call that succeeds. */
  async ok(method: Method, path: string, options: CallOptions = {}) {
    const reply = await this.app.call(method, path, options)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }

  get path(): string {
    return `/products/${this.app.seller.product.id}`
  }

  async asSeller(method: Method, path: string, body?: object) {
    const reply = await this.developer(method, `${this.path}${path}`, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }

  /** Buys in the sandbox. */
  async buy(body: object, paymentToken: string) {
    const { id, publicKey, secretKey } = this.app.seller.product
    const context = String(this.app.ctx.clock.real())
    const sandbox = sandboxToken({ context, productId: id, secretKey, publicKey })
    const session = await this.ok('POST', '/checkout/sessions.json', {
      token: null,
      body: { product_id: id, sandbox, s_ctx_ts: context, country_code: 'us', ...body },
    })
    return this.ok('POST', `/checkout/sessions/${session.id}/pay.json`, {
      token: null,
      body: { payment_token: paymentToken, is_waiver_accepted: true },
    })
  }

  /** Moves the sandbox on, at most two years at a time. */
  async moveTo(target: string): Promise<void> {
    await this.asSeller('POST', '/sandbox/clock.json', { target })
    for (let tries = 0; tries < 100; tries++) {
      await runDue(this.app.ctx)
      this.app.ctx.clock.advance(2 * SECOND)
      const { status } = await this.asSeller('GET', '/sandbox/clock.json')
      if (status === 'ready') return
    }
    throw new Error('The clock does not get ready.')
  }

  async offer(name: string, price: object) {
    const plan = await this.asSeller('POST', '/plans.json', { name, title: name })
    const body = { licenses: 1, currency: 'usd', ...price }
    return (await this.asSeller('POST', `/plans/${plan.id}/pricing.json`, body)).pricing
  }
}
