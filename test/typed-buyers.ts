import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { proofOf } from './checkouts.ts'
import { offerFor } from './licenses.ts'
import { redemptionsOf } from './redemptions.ts'
import { trialShop } from './trials.ts'

/** A shop in the sandbox at which owners of addresses buy, who prove to be them, and strangers who type the addresses. */
export async function typedBuyers(app: TestApp) {
  const shop = await trialShop(app)
  let made = 0

  /** A checkout of something else each time, unless it is said of what. */
  async function open(body: object): Promise<string> {
    const { planId } = await offerFor(app, 1)
    const { json, text } = await shop.open({ country_code: 'US', plan_id: planId, cart: false, ...body })
    assert.ok(json.id, text)
    return json.id
  }

  return {
    shop,
    async couponOf(more: object): Promise<{ readonly id: string; readonly code: string }> {
      const body = { code: `C${++made}`, discount: 50, discount_type: 'percentage', ...more }
      const { json, text } = await app.call('POST', `${shop.base}/coupons.json`, { body })
      assert.ok(json.id, text)
      return json
    },
    /** The address of somebody whom the seller knows. */
    async owner(): Promise<string> {
      const email = `owner${++made}@example.com`
      const reply = await app.call('POST', `${shop.base}/users.json`, { body: { email, name: 'Ow Ner' } })
      assert.equal(reply.status, 200, reply.text)
      return email
    },
    asStranger: (email: string, body: object) => open({ user_email: email, ...body }),
    asOwner: async (email: string, body: object) => open({ ...(await proofOf(app, email)), ...body }),
    /** Pays as far as the bank, which waits for the buyer. */
    async leaves(id: string): Promise<void> {
      const path = `/checkout/sessions/${id}/pay.json`
      const body = { payment_token: 'test_needs_confirmation', return_url: 'https://shop.example/back' }
      const { json, text } = await app.call('POST', path, { token: null, body })
      assert.equal(json.state, 'pending', text)
    },
    /** What becomes of it: `paid`, or the code of the refusal. */
    async paysWith(id: string, token?: string): Promise<string> {
      const { json } = await shop.pay(id, token)
      return json.error?.code ?? json.state
    },
    /** How often a coupon was redeemed, by its count and by rows, and how many payments have it. */
    async usesOf({ id }: { readonly id: string }): Promise<number[]> {
      const { db } = app.ctx
      const count = async (table: 'coupon_redemptions' | 'payments') =>
        (await db.selectFrom(table).select('id').where('coupon_id', '=', Number(id)).execute()).length
      const { sandbox } = await redemptionsOf(app, id)
      return [sandbox, await count('coupon_redemptions'), await count('payments')]
    },
  }
}

export type TypedBuyers = Awaited<ReturnType<typeof typedBuyers>>
