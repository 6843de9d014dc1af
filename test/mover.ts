import type { Gateway, Webhook } from '../src/gateways/gateway.ts'

export type Now = () => number

/** What somebody is given back of a charge, as its gateway has it. */
export interface GivenBack {
  readonly id: string
  readonly status: 'succeeded' | 'failed'
  /** Minor units. */
  readonly minor: number
}

/** A charge that is disputed, and what is sent of it. */
export interface Disputed {
  /** Minor units. */
  readonly minor: number
  readonly state: 'open' | 'won' | 'lost'
  opened(): Webhook
  /** The seller has won it. */
  won(): Webhook
  lost(): Webhook
}

/** What an answer is lost to: the request never arrives, or it is done and its answer does not come back. */
export type Way = 'there' | 'back'

/**
 * A gateway that moves money, played, with what happens at the gateway itself: one test of races and crashes runs on
 * each. A charge is named by its `externalId`.
 */
export interface Mover {
  readonly code: string
  /** By a key of each environment, the sandbox first. */
  readonly gateways: readonly [Gateway, Gateway]
  readonly gateway: Gateway
  /** How a method pays; `slow`: whether it does is decided later. */
  readonly tokens: Readonly<Record<'paid' | 'declined' | 'slow', string>>
  /** Whether what is not disputed of a charge can be given back while the rest is. */
  readonly refundsBesideDispute: boolean
  /** How many requests it had. */
  asked(): number
  /** What was charged, or may be, in order. */
  charges(): readonly string[]
  /** Minor units of a charge. */
  amountOf(id: string): number
  /** What was asked for last under a key is made once more, and is paid by whatever method; what it is there. */
  madeAgain(key: string): string
  /** What it sends when a charge is paid. */
  reportOf(id: string, eventId?: string): Webhook
  /** Makes a charge that was paid one that is decided later, until it is called. */
  undecided(id: string): () => void
  /** What was to be decided is declined. */
  decline(id: string): void
  refundsAt(id: string): readonly GivenBack[]
  /** What the seller gives back in the gateway's own pages; nothing is told of it yet. */
  byHand(id: string, minor: number): GivenBack
  /** What it sends of what was given back by hand. */
  reportOfRefund(refund: GivenBack): Webhook
  /** A refund could not be made after all; nothing is told of it yet. */
  fail(refund: GivenBack): void
  reportOfFailed(refund: GivenBack): Webhook
  /** A charge, or a part of it, is disputed. */
  disputed(id: string, minor?: number): Disputed
  /** From here on nothing of a charge can be given back; returns what ends that. */
  refuse(id: string): () => void
  /** The next charge of a buyer who is there, of a stored method, or the next refund has no answer. */
  lose(what: 'purchase' | 'renewal' | 'refund', way: Way): void
  /** The next request is refused, as nobody may ask. */
  lockOut(): void
  /** What was to be lost and was not asked for arrives. */
  loseNothing(): void
  /** As gateways do with keys after some time. */
  forgetKeys(): void
  close(): void
}

let events = 0
/** An id of what a gateway sends. */
export const eventId = (): string => `evt_${++events}`
