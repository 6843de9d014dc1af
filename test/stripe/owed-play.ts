import assert from 'node:assert/strict'
import { DAY, HOUR } from '../../src/lib/time.ts'
import type { PaymentRow } from '../../src/sales/payments/schema.ts'
import { randomFrom } from '../outages.ts'
import { leftOfPayment, undoneOf } from '../reports.ts'
import type { Resource } from './api.ts'
import type { owingTo } from './owed.ts'
import type { stripeShop } from './renewals.ts'

type Shop = Awaited<ReturnType<typeof stripeShop>>

/** What somebody is owed: of a payment all, or a part; of a charge that became no payment all. */
export interface Owed {
  readonly intent: Resource
  readonly payment: PaymentRow | null
  /** Minor units; null: all. */
  readonly part: number | null
}

const MOVES = ['hand', 'fail', 'fail', 'dispute', 'close', 'tell', 'tell', 'pass', 'refuse'] as const

/**
 * What may happen to money that is owed, in an order that follows from a seed: refunds by hand, refunds that fail,
 * disputes that are won or lost, a gateway that refuses, and reports that come late and in any order.
 */
export class OwedPlay {
  readonly #shop: Shop
  readonly #owing: ReturnType<typeof owingTo>
  readonly #owed: Owed
  readonly #random: () => number
  readonly #byHand = new Set<string>()
  #untold: (() => Promise<void>)[] = []
  #dispute: Resource | null = null
  /** What has happened, for whoever reads a failure. */
  readonly told: string[] = []

  constructor(shop: Shop, owing: ReturnType<typeof owingTo>, owed: Owed, seed: number) {
    this.#shop = shop
    this.#owing = owing
    this.#owed = owed
    this.#random = randomFrom(seed)
  }

  /** Plays so many moves, and then lets everything be told and settled. */
  async play(moves: number): Promise<void> {
    for (let n = 0; n < moves; n++) {
      const move = this.#one(MOVES)
      if (move) await this.#make(move)
      if (this.#owed.payment) assert.ok((await leftOfPayment(this.#shop.app, this.#owed.payment)) >= 0)
    }
    await this.#end()
  }

  #one<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)]
  }

  async #make(move: (typeof MOVES)[number]): Promise<void> {
    if (move === 'hand') return this.#hand()
    if (move === 'fail') return this.#fail()
    if (move === 'dispute') return this.#open()
    if (move === 'close') return this.#close()
    if (move === 'tell') return this.#tell()
    if (move === 'pass') return this.#pass()
    const { intent } = this.#owed
    intent.status = intent.status === 'succeeded' ? 'processing' : 'succeeded'
    this.told.push(`the gateway says it is ${intent.status}`)
  }

  #later(type: string, object: Resource, what: string): void {
    this.told.push(what)
    this.#untold.push(() => this.#owing.report(type, object))
  }

  /** What is left at the gateway, less than which a dispute or a refund takes. */
  #room(): number {
    const { intent } = this.#owed
    const disputed = this.#dispute && this.#dispute.status !== 'won' ? this.#dispute.amount : 0
    return intent.amount - this.#owing.givenOf(intent) - disputed
  }

  #some(most: number): number {
    return this.#random() < 0.3 ? most : 1 + Math.floor(this.#random() * most)
  }

  /** Of a part a seller gives back by hand what was refused, and no more than that. */
  async #hand(): Promise<void> {
    const { intent, part } = this.#owed
    const { status } = intent
    if (part !== null) {
      intent.status = 'processing'
      await this.#owing.pass(1)
    }
    const most = Math.min(this.#room(), part === null ? Infinity : part - this.#owing.givenOf(intent))
    if (most > 0) {
      const made = this.#owing.byHand(intent, this.#some(most))
      this.#byHand.add(made.id)
      this.#later('refund.created', made, `${made.amount} by hand`)
      if (part !== null) {
        await this.#untold.pop()?.()
        await this.#owing.pass(2)
      }
    }
    intent.status = status
  }

  async #fail(): Promise<void> {
    const made = this.#owing.refundsAt(this.#owed.intent.id).filter(({ status }) => status === 'succeeded')
    const refund = this.#one(made)
    if (!refund) return
    this.#shop.stripe.api.failRefund(refund)
    const whose = this.#byHand.has(refund.id) ? 'by hand' : 'of ours'
    this.#later('refund.failed', refund, `${refund.amount} ${whose} fails`)
  }

  async #open(): Promise<void> {
    const most = this.#room()
    if (this.#dispute || this.#untold.length > 0 || most <= 0) return
    this.#dispute = this.#shop.stripe.api.dispute(this.#owed.intent, { amount: this.#some(most) })
    this.#later('charge.dispute.created', this.#dispute, `${this.#dispute.amount} disputed`)
  }

  async #close(): Promise<void> {
    if (this.#dispute?.status !== 'needs_response') return
    this.#dispute.status = this.#random() < 0.6 ? 'won' : 'lost'
    this.#later('charge.dispute.closed', this.#dispute, `the dispute is ${this.#dispute.status}`)
  }

  async #tell(): Promise<void> {
    const [told] = this.#untold.splice(Math.floor(this.#random() * this.#untold.length), 1)
    this.told.push('a report')
    await told?.()
  }

  async #pass(): Promise<void> {
    const isLong = this.#untold.length === 0 && this.#random() < 0.5
    this.told.push(isLong ? 'a day' : 'an hour')
    await this.#owing.pass(1, isLong ? 25 * HOUR : HOUR)
  }

  async #end(): Promise<void> {
    this.#owed.intent.status = 'succeeded'
    await this.#close()
    while (this.#untold.length > 0) await this.#tell()
    await this.#owing.pass(2)
    await this.#owing.pass(4, DAY + HOUR)
    this.told.push('the end')
  }

  /** What is settled to the buyer is what is owed, at the gateway and in the books. */
  async assertSettled(): Promise<void> {
    const { intent, payment, part } = this.#owed
    const lost = this.#dispute?.status === 'lost' ? this.#dispute.amount : 0
    const given = this.#owing.givenOf(intent)
    const story = this.told.join('; ')
    assert.equal(given, Math.min(part ?? intent.amount, intent.amount - lost), story)
    if (!payment) return
    const undone = await undoneOf(this.#shop.app, payment)
    const booked = undone.reduce((sum, [, amount]) => sum - Number(amount), 0)
    assert.equal(booked, given + lost, story)
  }
}
