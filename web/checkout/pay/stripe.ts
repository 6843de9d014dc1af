import { loadStripe } from '@stripe/stripe-js/pure'
import type { Stripe, StripeElements, StripeElementsOptionsMode } from '@stripe/stripe-js'
import { Problem } from '../../shared/call.ts'
import type { Checkout } from '../server.ts'
import type { Method, PaymentForm } from './form.ts'

interface About {
  readonly key: string
  readonly language: string
  readonly isDark: boolean
  /** In a frame of a shop cards alone: what leads the whole window elsewhere has no way back there. */
  readonly isFramed: boolean
}

/** The card form of Stripe, which alone sees the card: this page has a token that stands for it. */
export class StripeForm implements PaymentForm {
  readonly #stripe: Stripe
  readonly #elements: StripeElements

  constructor(stripe: Stripe, elements: StripeElements) {
    this.#stripe = stripe
    this.#elements = elements
  }

  /** Loads the form and shows it in an element. */
  static async show(place: HTMLElement, checkout: Checkout, about: About): Promise<StripeForm> {
    const stripe = await loadStripe(about.key, { locale: localeOf(about.language) })
    if (!stripe) throw new Problem({ status: 0, code: 'no_answer', message: 'Stripe could not be loaded.' })
    const elements = stripe.elements({
      ...amountOf(checkout),
      ...(about.isFramed && { paymentMethodTypes: ['card'] }),
      appearance: { theme: about.isDark ? 'night' : 'stripe', variables: { borderRadius: '6px' } },
    })
    elements.create('payment').mount(place)
    return new StripeForm(stripe, elements)
  }

  /** Keeps the form at what is paid. */
  keepUp(checkout: Checkout): void {
    this.#elements.update(amountOf(checkout))
  }

  async token(checkout: Checkout): Promise<Method> {
    this.keepUp(checkout)
    const checked = await this.#elements.submit()
    if (checked.error) throw refusal(checked.error.message)
    const { confirmationToken, error } = await this.#stripe.createConfirmationToken({
      elements: this.#elements,
    })
    if (error) throw refusal(error.message)
    return { payment_token: confirmationToken.id, gateway: 'stripe' }
  }
}

/** What the form says itself, in the language it is shown in. */
const refusal = (message = '') => new Problem({ status: 400, code: 'card_form', message })

/** Stripe counts minor units; all currencies here have two decimals. */
function amountOf({ quote, currency, renewal }: Checkout): StripeElementsOptionsMode {
  const amount = Math.round(quote.total * 100)
  if (amount === 0) return { mode: 'setup', currency }
  return { mode: 'payment', amount, currency, ...(renewal && { setupFutureUsage: 'off_session' }) }
}

const localeOf = (language: string) => (language.startsWith('de') ? 'de' : 'en')
