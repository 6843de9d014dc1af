import type { Checkout } from '../../src/sales/checkouts/schema.ts'
import type { CheckoutResult } from '../../src/sales/checkouts/result-schema.ts'
import type { CheckoutSite, SiteOfCheckout } from '../../src/sales/checkouts/site-schema.ts'
import { call, type Problem } from '../shared/call.ts'

export type { Checkout, CheckoutResult, CheckoutSite, SiteOfCheckout }

/** What a buyer may change. */
export interface Change {
  readonly plan_id?: string
  readonly pricing_id?: string
  readonly licenses?: string
  readonly billing_cycle?: string
  readonly currency?: string
  readonly coupon?: string
  readonly user_email?: string
  readonly user_firstname?: string
  readonly user_lastname?: string
  readonly country_code?: string
  readonly region?: string
  readonly zip_postal_code?: string
  readonly vat_id?: string
  readonly business_name?: string
  readonly address_street?: string
  readonly address_apt?: string
  readonly address_city?: string
}

export interface Payment {
  readonly payment_token?: string
  readonly gateway?: string
  readonly total?: number
  readonly is_waiver_accepted?: boolean
  readonly is_marketing_allowed?: boolean
}

/** The calls of a checkout, as anybody's page could make them (`docs/checkout.md`). */
export class CheckoutServer {
  readonly #sessions: string
  readonly #waits: (problem: Problem | null) => void

  constructor(prefix: string, waits: (problem: Problem | null) => void) {
    this.#sessions = `${prefix}/v1/checkout/sessions`
    this.#waits = waits
  }

  open(body: object): Promise<Checkout> {
    return call({ method: 'POST', path: `${this.#sessions}.json`, body, waits: this.#waits })
  }

  look(id: string): Promise<Checkout> {
    return call({ method: 'GET', path: `${this.#sessions}/${id}.json`, waits: this.#waits })
  }

  change(id: string, body: Change): Promise<Checkout> {
    return call({ method: 'PUT', path: `${this.#sessions}/${id}.json`, body, waits: this.#waits })
  }

  /** A gateway that does not answer is said at once: the buyer decides whether to try again. */
  pay(id: string, body: Payment): Promise<CheckoutResult> {
    return call({
      method: 'POST',
      path: `${this.#sessions}/${id}/pay.json`,
      body,
      waits: this.#waits,
      isTriedAgain: ({ isPassing, code }) => isPassing && code !== 'gateway_unreachable',
    })
  }

  /** The path of an address of the result: the page may stand on an origin of its own. */
  pathOf(address: string): string {
    return this.#sessions.replace(/\/v1\/.*/, '') + address.slice(address.indexOf('/v1/'))
  }

  /** Has the mail with the key sent again. */
  sendAgain(address: string): Promise<unknown> {
    return call({ method: 'POST', path: this.pathOf(address), waits: this.#waits })
  }

  /** Connects the site that a paid checkout was opened from. */
  connect(id: string, body: CheckoutSite): Promise<SiteOfCheckout> {
    return call({ method: 'POST', path: `${this.#sessions}/${id}/site.json`, body, waits: this.#waits })
  }
}
