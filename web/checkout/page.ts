import { createContext } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { Problem } from '../shared/call.ts'
import { money } from '../shared/money.ts'
import type { Address, WordPress } from './address.ts'
import { consentsIn, lacksWaiver } from './consents.ts'
import { isElsewhere, lacksMethod, notPaidElsewhere } from './elsewhere.ts'
import { Exit } from './exit.ts'
import { boughtIn, type Bought, type Host } from './host.ts'
import { needsMethod, type PaymentForm } from './pay/form.ts'
import type { Product } from './product.ts'
import type { Change, Checkout, CheckoutResult } from './server.ts'
import { EMPTY, inputOf, NAMES, PERSON, type Field, type State } from './state.ts'
import { isAddress, problemOf, type CheckoutStore } from './store.ts'
import { fill } from '../shared/language.ts'
import type { languageFor, textsFor } from './texts/texts.ts'

/** Milliseconds between looks at a payment that its bank has not decided. */
const LOOK_AGAIN = 2_000

interface Parts {
  readonly address: Address
  readonly store: CheckoutStore
  readonly host: Host
  readonly product: Product | null
  readonly language: ReturnType<typeof languageFor>
  readonly texts: ReturnType<typeof textsFor>
}

/** What a buyer does on the page, and what follows from it. */
export class Page {
  readonly address: Address
  readonly store: CheckoutStore
  readonly host: Host
  readonly product: Product | null
  readonly language: string
  readonly texts: Parts['texts']
  /** Where the method of payment comes from; null: there is no form for it. */
  form: PaymentForm | null = null
  /** Whose it is; empty: nothing takes the payment. */
  gateway = ''
  readonly exit = new Exit(this)
  #paying: Promise<void> | null = null
  /** Who buys, as far as the address has said it. */
  #fixed: ReadonlySet<Field> | null = null

  constructor({ address, store, host, product, language, texts }: Parts) {
    this.address = address
    this.store = store
    this.host = host
    this.product = product
    this.language = language
    this.texts = texts
    store.watch(() => this.#follow())
  }

  get state(): State {
    return this.store.state
  }

  /** An amount in the currency of the checkout. */
  readonly money = (amount: number): string =>
    money(amount, this.state.checkout?.currency ?? 'usd', this.language)

  /** Takes a choice of what is bought, and tells the page around this one what it was. */
  async choose(change: Change, event: string): Promise<void> {
    this.host.track(event)
    await this.store.choose(change)
  }

  async useCoupon(code: string): Promise<void> {
    const { discount } = this.state.checkout ?? {}
    const event = code === '' ? 'coupon-removed' : discount ? 'coupon-updated' : 'coupon-added'
    this.store.set({ input: { ...this.state.input, coupon: code } })
    await this.choose({ coupon: code }, event)
  }

  /** Whether nothing is missing that the page knows of. */
  readonly isReady = (): boolean => Object.keys(this.#missing()).length === 0

  /** Pays what is shown: another total is refused, and shown before it can be paid. */
  pay(): Promise<void> {
    this.#paying ??= this.#pay().finally(() => {
      this.#paying = null
    })
    return this.#paying
  }

  /** Resolves when it is known how a payment that was begun stands. */
  decided(): Promise<void> {
    return this.#paying ?? this.look()
  }

  async #pay(): Promise<void> {
    if (this.state.phase !== 'open') return
    const { checkout } = this.state
    const errors = this.#missing()
    if (!checkout || Object.keys(errors).length > 0) {
      this.store.set({ errors, problem: null })
      return
    }
    this.host.track('review-order')
    this.store.set({ phase: 'paying', problem: null })
    if (needsMethod(checkout)) this.#begin()
    try {
      if (await this.#isTold()) return await this.#settle(() => this.#charge(checkout))
      this.store.set({ phase: 'open' })
    } catch (error) {
      await this.#refused(problemOf(error))
    }
    this.form?.lead?.(null)
  }

  #begin(): void {
    const { wallet } = this.form ?? {}
    if (wallet !== undefined) this.host.track(`${wallet}-express-checkout`)
    this.form?.begin?.()
  }

  /** Tells what was typed; false where something of it is not right. */
  async #isTold(): Promise<boolean> {
    // What a confirmation was begun for stays as it is: another method alone is tried.
    if (this.state.result === null) await this.store.choose(this.#typed())
    // Where the buyer is may have come just now, and with it what must be agreed to.
    this.store.set({ errors: { ...this.state.errors, ...this.#unagreed() } })
    return Object.keys(this.state.errors).length === 0 && !this.state.problem
  }

  /** Asks for what the buyer was shown, and leads to where it is confirmed. */
  async #charge(checkout: Checkout): Promise<CheckoutResult> {
    const { total } = checkout.quote
    const method = needsMethod(checkout) ? await this.form?.token(checkout) : undefined
    const payment = { total, ...method, ...consentsIn(this.state) }
    const result = await this.store.server.pay(checkout.id, payment)
    const back = await this.form?.lead?.(result.confirmation_url)
    if (back === 'approved') return this.store.server.pay(checkout.id, {})
    if (back === 'cancelled') this.store.set({ phase: 'open', result, problem: null })
    return result
  }

  /** Looks how a payment stands that was begun: also after a reload, or in another window. */
  readonly look = async (): Promise<void> => {
    const { checkout } = this.state
    if (!checkout) return
    try {
      await this.#settle(() => this.store.server.pay(checkout.id, {}))
    } catch (error) {
      await this.#refused(problemOf(error))
    }
  }

  /** Whether a field of who buys is shown and not changed. */
  isFixed(field: Field): boolean {
    return Boolean(this.state.checkout?.buyer.is_readonly || this.#fixed?.has(field))
  }

  #follow(): void {
    if (this.state.phase === 'open') this.#fixed ??= new Set(this.#givenFields())
    this.#followElsewhere()
  }

  #givenFields(): Field[] {
    const isGiven = (field: Field) => this.address.isBuyerFixed && this.state.input[field] !== ''
    return (['email', 'first', 'last'] as const).filter(isGiven)
  }

  /** A change that came too late: another window pays, or has paid. */
  #followElsewhere(): void {
    if (this.state.phase !== 'open' || !isElsewhere(this.state.problem)) return
    this.store.set({ phase: 'waiting', result: null })
    void this.look()
  }

  /** Leaves a confirmation for another method of payment. */
  payOtherwise(): void {
    this.store.set({ phase: 'open', problem: null })
  }

  async #settle(ask: () => Promise<CheckoutResult>): Promise<void> {
    const result = await ask()
    if (result.state === 'paid') return this.#bought(result)
    // The buyer has left the confirmation meanwhile.
    if (this.state.phase === 'open' && this.state.result !== null) return
    this.#wait({ phase: result.confirmation_url === null ? 'waiting' : 'confirming', result, problem: null })
  }

  /** Shows what is waited for, and looks again in a moment. */
  #wait(change: Partial<State>): void {
    this.store.set(change)
    setTimeout(() => void this.#lookAgain(), LOOK_AGAIN)
  }

  async #lookAgain(): Promise<void> {
    if (this.state.phase === 'waiting' || this.state.phase === 'confirming') await this.look()
  }

  #bought(result: CheckoutResult): void {
    this.form?.lead?.(null)
    this.store.set({ phase: 'paid', result, problem: null, errors: {} })
    const bought = boughtIn(result)
    this.host.bought(bought)
    const { wordpress: site } = this.address
    if (site) return void this.#leadBack(site, bought)
    if (this.address.mode === 'page' && result.redirect_url !== null) location.replace(result.redirect_url)
  }

  /** Back to the dashboard of a site, or why not: what was bought stays on the page. */
  async #leadBack(site: WordPress, bought: Bought): Promise<void> {
    try {
      const { leadBack } = await import('./wordpress.ts')
      await leadBack(site, {
        host: this.host,
        server: this.store.server,
        checkout: this.state.checkout,
        bought,
      })
    } catch {
      this.store.set({ isSiteRefused: true })
    }
  }

  async #refused(problem: Problem): Promise<void> {
    if (isElsewhere(problem)) return this.#wait({ phase: 'waiting', result: null, problem })
    const wasElsewhere = isElsewhere(this.state.problem)
    this.store.set({ phase: 'open', problem: null, result: null })
    this.store.refuse(wasElsewhere && lacksMethod(problem) ? notPaidElsewhere(problem) : problem)
    if (problem.code === 'gateway_unreachable') return (await import('./pay/away.ts')).sayAway(this, problem)
    if (problem.code !== 'checkout_repriced') return
    const { checkout } = this.state
    if (!checkout) return
    const again = await this.store.server.look(checkout.id).catch(() => checkout)
    this.store.set({ checkout: again })
    this.store.set({ problem: this.#repriced(problem, again) })
  }

  #repriced({ status, code }: Problem, { quote }: Checkout): Problem {
    return new Problem({
      status,
      code,
      message: fill(this.texts.repriced, { amount: this.money(quote.total) }),
    })
  }

  /** What the form has: all of it, as an earlier change may have been refused with what came beside it. */
  #typed(): Change {
    const { input, checkout } = this.state
    const isFixed = checkout?.buyer.is_readonly === true
    const fields = Object.entries(NAMES).filter(
      ([field]) => field !== 'coupon' && !(isFixed && PERSON.has(field)),
    )
    return Object.fromEntries(
      fields.flatMap(([field, name]) => {
        const value = input[field as Field].trim()
        return value === '' && !this.#isKnown(field as Field) ? [] : [[name, value]]
      }),
    )
  }

  /** Whether the server has a value for a field, so that emptying it has to be told. */
  #isKnown(field: Field): boolean {
    const { checkout } = this.state
    return checkout !== null && inputOf(checkout, EMPTY)[field] !== ''
  }

  #missing(): State['errors'] {
    const { input, checkout } = this.state
    if (!checkout || checkout.buyer.is_readonly) return this.#unagreed()
    const { required, badEmail } = this.texts
    const isFree = checkout.trial === 'free'
    const isKnownOwner = checkout.change !== null
    return {
      ...(input.email.trim() === '' && !isKnownOwner && { email: required }),
      ...(input.email.trim() !== '' && !isAddress(input.email) && { email: badEmail }),
      ...(input.country === '' && !isFree && { country: required }),
      ...this.#unagreed(),
    }
  }

  #unagreed(): State['errors'] {
    return lacksWaiver(this.state) ? { waiver: this.texts.required } : {}
  }
}

const PageContext = createContext<Page | null>(null)
export const ProvidePage = PageContext.Provider

/** The page that a part stands in, drawn again after each change of its state. */
export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('This part stands in no page.')
  const [, draw] = useState(0)
  const { state } = page
  useLayoutEffect(() => {
    const again = () => draw((count) => count + 1)
    // What changed between drawing and watching was told to nobody.
    if (page.state !== state) again()
    return page.store.watch(again)
  }, [page])
  return page
}
