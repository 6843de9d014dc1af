import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEHAVIOURS, type Behaviour } from './cards.ts'
import { cardError, invalidRequest, missing, NOT_CONFIRMED, type StripeRefusal } from './errors.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- objects of Stripe of every shape
export type Resource = any

const { resources } = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures.json'), 'utf8')) as {
  resources: Readonly<Record<string, object>>
}

export const fixture = (name: string, more: Resource): Resource => ({ ...resources[name], ...more })

export class Unreachable extends Error {}

const metadataOf = (form: URLSearchParams) => {
  const key = form.get('metadata[key]')
  return key === null ? {} : { key }
}

interface Method {
  readonly id: string
  readonly behaviour: Behaviour
  readonly customer: string | null
}

/** What Stripe keeps and does, as far as the adapter asks for it; objects are made of Stripe's own fixtures. */
export class StripeApi {
  readonly intents = new Map<string, Resource>()
  readonly setUps = new Map<string, Resource>()
  readonly refunds = new Map<string, Resource>()
  readonly disputes = new Map<string, Resource>()
  readonly customers = new Set<string>()
  /** Where it reports. */
  readonly endpoints: Resource[] = []
  /** What it answers to every charge off session, as for a fault of the settings; null: nothing is wrong. */
  offSession: StripeRefusal | null = null
  readonly #methods = new Map<string, Method>()
  /** No two have an id in common. */
  readonly #account = randomBytes(4).toString('hex')
  #count = 0

  answer(method: string, path: string, form: URLSearchParams): Resource | StripeRefusal {
    const [, , kind = '', id = '', action = ''] = path.split('/')
    if (action === 'cancel')
      return this.#cancel((kind === 'setup_intents' ? this.setUps : this.intents).get(id))
    return method === 'POST' ? this.#create(kind, form) : this.#read(kind, id, form)
  }

  #read(kind: string, id: string, form: URLSearchParams): Resource | StripeRefusal {
    if (kind === 'payment_intents' && id === 'search') return this.#found(form.get('query') ?? '')
    if (kind === 'webhook_endpoints')
      return { object: 'list', has_more: false, url: '', data: this.endpoints }
    if (kind === 'setup_intents' && id === '') return this.#setUpsSince(form)
    if (id === '') return this.#listed(kind, form.get('payment_intent') ?? '')
    const kept: Record<string, Map<string, Resource>> = {
      payment_intents: this.intents,
      setup_intents: this.setUps,
      refunds: this.refunds,
      disputes: this.disputes,
    }
    const found = kept[kind]?.get(id)
    if (found) this.#cameBack(found)
    return found ?? missing('id', id)
  }

  /** What the buyer's bank takes back. */
  dispute(intent: Resource, more: Resource = {}): Resource {
    const made = fixture('dispute', {
      id: this.#id('dp'),
      amount: intent.amount,
      currency: intent.currency,
      payment_intent: intent.id,
      charge: intent.latest_charge.id,
      status: 'needs_response',
      balance_transactions: [
        fixture('balance_transaction', { amount: -intent.amount, currency: intent.currency, fee: 1500 }),
      ],
      ...more,
    })
    this.disputes.set(made.id, made)
    intent.latest_charge.disputed = true
    return made
  }

  #id(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.#count}${this.#account}`
  }

  #create(kind: string, form: URLSearchParams): Resource | StripeRefusal {
    if (kind === 'customers') {
      const customer = fixture('customer', { id: this.#id('cus'), email: form.get('email') })
      this.customers.add(customer.id)
      return customer
    }
    if (kind === 'payment_intents') return this.#pay(form)
    if (kind === 'setup_intents') return this.#setUp(form)
    return kind === 'refunds' ? this.#refund(form) : missing('id', kind)
  }

  #methodOf(form: URLSearchParams): Method | StripeRefusal {
    const token = form.get('confirmation_token')
    if (token !== null && form.has('payment_method'))
      return invalidRequest({ code: 'parameter_unknown', message: 'One of both names the method.' })
    const given = token?.startsWith('ctoken_')
      ? token.replace('ctoken_', 'pm_')
      : (form.get('payment_method') ?? '')
    const customer = form.get('customer')
    const stored = this.#methods.get(given)
    if (customer !== null && !this.customers.has(customer)) return missing('customer', customer)
    if (stored) return stored.customer === customer ? stored : missing('payment_method', given)
    const behaviour = BEHAVIOURS.get(given)
    if (!behaviour) return missing('payment_method', given)
    if (behaviour.first === 'unreachable') throw new Unreachable()
    const method = { id: this.#id('pm'), behaviour, customer }
    this.#methods.set(method.id, method)
    return method
  }

  #pay(form: URLSearchParams): Resource | StripeRefusal {
    if (this.offSession && form.has('off_session')) return this.offSession
    const method = this.#methodOf(form)
    if ('error' in method) return method
    const { behaviour, customer } = method
    const intent = fixture('payment_intent', {
      id: this.#id('pi'),
      amount: Number(form.get('amount')),
      currency: form.get('currency'),
      customer,
      setup_future_usage: form.get('setup_future_usage'),
      last_payment_error: null,
      next_action: null,
      payment_method: this.#methodObject(method),
      metadata: metadataOf(form),
    })
    this.intents.set(intent.id, intent)
    return this.#settle(intent, form.has('off_session') ? behaviour.later : behaviour.first, behaviour)
  }

  #settle(intent: Resource, answer: Behaviour['first'], behaviour: Behaviour): Resource | StripeRefusal {
    if (answer === 'paid') return this.#paid(intent, behaviour)
    if (answer === 'processing') return Object.assign(intent, { status: 'processing' })
    if (answer === 'confirmed' || answer === 'unconfirmed')
      return this.#asked(intent, () => {
        if (answer === 'confirmed') this.#paid(intent, behaviour)
        else Object.assign(intent, { status: 'requires_payment_method', last_payment_error: NOT_CONFIRMED })
      })
    const failure = cardError(answer)
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: failure })
    return { status: 402, error: { ...failure, payment_intent: intent } }
  }

  readonly #coming = new Map<string, () => void>()

  /** Waits for the buyer, who has come back when it is asked for again. */
  #asked(intent: Resource, cameBack: () => void): Resource {
    const url = `https://hooks.stripe.com/3d_secure_2/hosted?intent=${intent.id}`
    this.#coming.set(intent.id, cameBack)
    Object.assign(intent, {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url, return_url: null } },
    })
    return intent
  }

  #cancel(intent: Resource | undefined): Resource | StripeRefusal {
    if (!intent) return missing('id', '')
    if (intent.status !== 'requires_action')
      return invalidRequest({ code: 'payment_intent_unexpected_state', message: 'It cannot be canceled.' })
    this.#coming.delete(intent.id)
    return Object.assign(intent, { status: 'canceled', next_action: null })
  }

  #cameBack({ id }: Resource): void {
    this.#coming.get(id)?.()
    this.#coming.delete(id)
  }

  #paid(intent: Resource, { exchangeRate, isDisputed, type }: Behaviour): Resource {
    const { amount, currency } = intent
    const fee = Math.min(amount, Math.round(amount * 0.029) + 30)
    const debit = type === 'ideal' && this.#methodLike(intent)
    const latest_charge = fixture('charge', {
      id: this.#id('ch'),
      amount,
      currency,
      payment_intent: intent.id,
      payment_method_details: debit ? { type, ideal: { generated_sepa_debit: debit } } : { type: 'card' },
      balance_transaction: fixture('balance_transaction', {
        amount,
        fee: exchangeRate ? Math.round(fee * exchangeRate) : fee,
        currency: exchangeRate ? 'usd' : currency,
        exchange_rate: exchangeRate ?? null,
      }),
    })
    Object.assign(intent, { status: 'succeeded', next_action: null, latest_charge })
    if (isDisputed) this.dispute(intent)
    return intent
  }

  #methodLike({ customer }: Resource): string {
    const method = { id: this.#id('pm'), behaviour: { first: 'paid', later: 'paid' }, customer } as const
    this.#methods.set(method.id, method)
    return method.id
  }

  #methodObject({ id, behaviour: { type }, customer }: Method): Resource {
    return fixture('payment_method', { id, customer, ...(type && { type, card: undefined }) })
  }

  #setUp(form: URLSearchParams): Resource | StripeRefusal {
    const method = this.#methodOf(form)
    if ('error' in method) return method
    const intent = fixture('setup_intent', {
      id: this.#id('seti'),
      customer: method.customer,
      status: 'succeeded',
      last_setup_error: null,
      next_action: null,
      payment_method: this.#methodObject(method),
      metadata: metadataOf(form),
    })
    this.setUps.set(intent.id, intent)
    const { first } = method.behaviour
    if (first === 'paid') return intent
    if (first === 'confirmed')
      return this.#asked(intent, () => void Object.assign(intent, { status: 'succeeded' }))
    return { status: 402, error: { ...cardError('declined'), setup_intent: intent } }
  }

  #refund(form: URLSearchParams): Resource | StripeRefusal {
    const intent = this.intents.get(form.get('payment_intent') ?? '')
    if (!intent) return missing('payment_intent', '')
    const amount = Number(form.get('amount'))
    const left = intent.amount - intent.latest_charge.amount_refunded
    const disputed = this.#disputedOf(intent.id)
    if (disputed > 0 && amount > left - disputed)
      return invalidRequest({ code: 'charge_disputed', message: 'This charge has been charged back.' })
    if (left === 0) return invalidRequest({ code: 'charge_already_refunded', message: 'Already refunded.' })
    if (amount > left)
      return invalidRequest({ param: 'amount', message: 'Refund amount is greater than unrefunded amount.' })
    intent.latest_charge.amount_refunded += amount
    const { id: payment_intent, currency } = intent
    const metadata = metadataOf(form)
    const refund = fixture('refund', { id: this.#id('re'), amount, currency, payment_intent, metadata })
    this.refunds.set(refund.id, refund)
    return refund
  }

  /** What the bank of the buyer has taken back. */
  #disputedOf(intent: string): number {
    const disputes = [...this.disputes.values()].filter(({ payment_intent: of }) => of === intent)
    return disputes.reduce((sum, { status, amount }) => (status === 'won' ? sum : sum + amount), 0)
  }

  /** The bank of the buyer sends a refund back, after all. */
  failRefund(refund: Resource): void {
    refund.status = 'failed'
    this.intents.get(refund.payment_intent).latest_charge.amount_refunded -= refund.amount
  }

  /** Two a page, so that there are several. */
  #setUpsSince(form: URLSearchParams): Resource {
    const all = [...this.setUps.values()].toReversed()
    const from = all.findIndex(({ id }) => id === form.get('starting_after')) + 1
    return { object: 'list', url: '', data: all.slice(from, from + 2), has_more: all.length > from + 2 }
  }

  #listed(kind: string, intent: string): Resource {
    return kind === 'refunds' ? this.#refundsOf(intent) : this.#disputesOf(intent)
  }

  #found(query: string): Resource {
    const [, key = ''] = /^metadata\['key'\]:'(.*)'$/.exec(query) ?? []
    const wanted = key.replaceAll(/\\(.)/g, '$1')
    const data = [...this.intents.values()].filter(({ metadata }) => metadata.key === wanted)
    return {
      object: 'search_result',
      data: data.toReversed(),
      has_more: false,
      url: '/v1/payment_intents/search',
    }
  }

  #refundsOf(intent: string): Resource {
    const data = [...this.refunds.values()].filter(({ payment_intent }) => payment_intent === intent)
    return { object: 'list', data: data.toReversed(), has_more: false, url: '/v1/refunds' }
  }

  #disputesOf(intent: string): Resource {
    const data = [...this.disputes.values()].filter(({ payment_intent }) => payment_intent === intent)
    return { object: 'list', data: data.toReversed(), has_more: false, url: '/v1/disputes' }
  }
}
