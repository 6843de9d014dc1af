import assert from 'node:assert/strict'
import { DAY, HOUR } from '../src/lib/time.ts'
import type { Webhook } from '../src/gateways/gateway.ts'
import type { PaymentRow } from '../src/sales/payments/schema.ts'
import type { Disputed } from './mover.ts'
import type { MoverShop } from './movers.ts'
import { randomFrom } from './outages.ts'
import type { Owing } from './owing.ts'
import { leftOfPayment, undoneOf } from './reports.ts'

/** What somebody is owed: of a payment all, or a part; of a charge that became no payment all. */
export interface Owed {
  readonly charge: string
  /** Minor units that were paid. */
  readonly total: number
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
  readonly #shop: MoverShop
  readonly #owing: Owing
  readonly #owed: Owed
  readonly #random: () => number
  readonly #byHand = new Set<string>()
  #untold: (() => Promise<void>)[] = []
  #dispute: Disputed | null = null
  #endRefusing: (() => void) | null = null
  /** What has happened, for whoever reads a failure. */
  readonly told: string[] = []

  constructor(shop: MoverShop, owing: Owing, owed: Owed, seed: number) {
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
    this.#refuse(this.#endRefusing === null)
    this.told.push(`the gateway ${this.#endRefusing === null ? 'gives back again' : 'refuses'}`)
  }

  #refuse(isRefusing: boolean): void {
    if (isRefusing) this.#endRefusing ??= this.#shop.mover.refuse(this.#owed.charge)
    else {
      this.#endRefusing?.()
      this.#endRefusing = null
    }
  }

  #later(report: () => Webhook, what: string): void {
    this.told.push(what)
    this.#untold.push(() => this.#owing.report(report()))
  }

  /** What is left at the gateway, less than which a dispute or a refund takes. */
  #room(): number {
    const { charge, total } = this.#owed
    const { minor = 0, state = 'won' } = this.#dispute ?? {}
    if (state === 'open' && !this.#shop.mover.refundsBesideDispute) return 0
    return total - this.#owing.givenOf(charge) - (state === 'won' ? 0 : minor)
  }

  #some(most: number): number {
    return this.#random() < 0.3 ? most : 1 + Math.floor(this.#random() * most)
  }

  /** Of a part a seller gives back by hand what was refused, and no more than that. */
  async #hand(): Promise<void> {
    const { charge, part } = this.#owed
    const { mover } = this.#shop
    const wasRefusing = this.#endRefusing !== null
    if (part !== null) {
      this.#refuse(true)
      await this.#shop.pass(1)
    }
    const most = Math.min(this.#room(), part === null ? Infinity : part - this.#owing.givenOf(charge))
    if (most > 0) {
      // Who gives back in its own pages is not refused.
      this.#refuse(false)
      const made = mover.byHand(charge, this.#some(most))
      if (part !== null || wasRefusing) this.#refuse(true)
      this.#byHand.add(made.id)
      this.#later(() => mover.reportOfRefund(made), `${made.minor} by hand`)
      if (part !== null) {
        await this.#untold.pop()?.()
        await this.#shop.pass(2)
      }
    }
    this.#refuse(wasRefusing)
  }

  async #fail(): Promise<void> {
    const { mover } = this.#shop
    const made = mover.refundsAt(this.#owed.charge).filter(({ status }) => status === 'succeeded')
    const refund = this.#one(made)
    if (!refund) return
    const wasRefusing = this.#endRefusing !== null
    mover.fail(refund)
    this.#refuse(false)
    this.#refuse(wasRefusing)
    const whose = this.#byHand.has(refund.id) ? 'by hand' : 'of ours'
    this.#later(() => mover.reportOfFailed(refund), `${refund.minor} ${whose} fails`)
  }

  async #open(): Promise<void> {
    const most = this.#room()
    if (this.#dispute || this.#untold.length > 0 || most <= 0) return
    const dispute = this.#shop.mover.disputed(this.#owed.charge, this.#some(most))
    this.#dispute = dispute
    this.#later(() => dispute.opened(), `${dispute.minor} disputed`)
  }

  async #close(): Promise<void> {
    const dispute = this.#dispute
    if (dispute?.state !== 'open') return
    const end = this.#random() < 0.6 ? dispute.won : dispute.lost
    end()
    this.#later(end, `the dispute is ${dispute.state}`)
  }

  async #tell(): Promise<void> {
    const [told] = this.#untold.splice(Math.floor(this.#random() * this.#untold.length), 1)
    this.told.push('a report')
    await told?.()
  }

  async #pass(): Promise<void> {
    const isLong = this.#untold.length === 0 && this.#random() < 0.5
    this.told.push(isLong ? 'a day' : 'an hour')
    await this.#shop.pass(1, isLong ? 25 * HOUR : HOUR)
  }

  async #end(): Promise<void> {
    this.#refuse(false)
    await this.#close()
    while (this.#untold.length > 0) await this.#tell()
    await this.#shop.pass(2)
    await this.#shop.pass(4, DAY + HOUR)
    this.told.push('the end')
  }

  /** What is settled to the buyer is what is owed, at the gateway and in the books. */
  async assertSettled(): Promise<void> {
    const { charge, payment, part, total } = this.#owed
    const lost = this.#dispute?.state === 'lost' ? this.#dispute.minor : 0
    const given = this.#owing.givenOf(charge)
    const story = this.told.join('; ')
    assert.equal(given, Math.min(part ?? total, total - lost), story)
    if (!payment) return
    const undone = await undoneOf(this.#shop.app, payment)
    const booked = undone.reduce((sum, [, amount]) => sum - Number(amount), 0)
    assert.equal(booked, given + lost, story)
  }
}
