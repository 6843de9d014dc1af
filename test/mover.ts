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
export type Lost = 'purchase' | 'renewal' | 'refund' | 'look'

/**
 * A gateway that moves money, played, with what happens at the gateway itself: one test of races and crashes runs on
 * each. A charge is named by its `externalId`.
 */
export interface Mover {
  readonly code: string
  /** By a key of each environment, the sandbox first. */
  readonly gateways: readonly [Gateway, Gateway]
  readonly gateway: Gateway
  /**
   * How a method pays: `slow`, whether it does is decided later; `declinedLater`, once and not while its owner is away;
   * `confirmed`, when its owner comes back.
   */
  readonly tokens: Readonly<Record<'paid' | 'declined' | 'slow' | 'declinedLater' | 'confirmed', string>>
  /** Whether what is not disputed of a charge can be given back while the rest is. */
  readonly refundsBesideDispute: boolean
  /** How many requests it had. */
  asked(): number
  /** What was charged, or may be, in order. */
  charges(): readonly string[]
  /** What its buyer reads on the statement. */
  describes(id: string): string
  /** Minor units of a charge. */
  amountOf(id: string): number
  /** What was asked for last under a key is made once more, and is paid by whatever method; what it is there. */
  madeAgain(key: string): string
  /** What it sends when a charge is paid. */
  reportOf(id: string, eventId?: string): Webhook
  /** Makes a charge that was paid one that is decided later, until it is called. */
  undecided(id: string): () => void
  /** Makes a charge one that was declined, until it is called. */
  decline(id: string): () => void
  /** What it sends of a charge that is declined. */
  reportOfDeclined(id: string): Webhook
  /** Why it makes no charge of a stored method, each until it is called. */
  readonly refusals: Readonly<Record<string, () => () => void>>
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
  /** The next charge of a buyer who is there or of a stored method, refund, or first request of a look has no answer. */
  lose(what: Lost, way: Way): void
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
