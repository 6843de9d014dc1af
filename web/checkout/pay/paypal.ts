import type { CameBack, Load, PaymentForm } from './form.ts'

interface Buttons {
  isEligible(): boolean
  render(place: HTMLElement): Promise<void>
  close(): Promise<void>
}

interface Actions {
  resolve(): void
  reject(): void
}

/** What PayPal's own script puts into the page, as far as it is used here. */
interface Script {
  Buttons(options: {
    readonly fundingSource: string
    readonly style: object
    onClick(data: object, actions: Actions): void
    createOrder(): Promise<string>
    onApprove(): Promise<void>
    onCancel(): void
    onError(): void
  }): Buttons
}

type About = Parameters<Load>[0]

const ADDRESS = 'https://www.paypal.com/sdk/js'

/** One of each currency, as PayPal's script is made for one. */
const scripts = new Map<string, Promise<Script>>()

/** As `Load`: PayPal's button, which opens its window itself. */
export const load: Load = async (about) => {
  const { key, currency, language } = about
  const namespace = `paypal_${currency}`
  let script = scripts.get(namespace)
  if (!script) {
    script = loadScript(namespace, {
      'client-id': key,
      components: 'buttons',
      currency: currency.toUpperCase(),
      'disable-funding': 'card,credit,paylater,venmo',
      locale: language.startsWith('de') ? 'de_DE' : 'en_US',
    })
    scripts.set(namespace, script)
    // The next who asks tries again.
    script.catch(() => scripts.delete(namespace))
  }
  const form = new PaypalForm(await script, about)
  if (!form.isEligible) throw new Error('PayPal shows no button to this buyer.')
  return form
}

function loadScript(namespace: string, options: Readonly<Record<string, string>>): Promise<Script> {
  const { promise, resolve, reject } = Promise.withResolvers<Script>()
  const element = document.createElement('script')
  element.src = `${ADDRESS}?${new URLSearchParams(options)}`
  element.dataset['namespace'] = namespace
  element.onload = () => {
    const script = (window as unknown as Record<string, Script | undefined>)[namespace]
    if (script) resolve(script)
    else reject(new Error('The script of PayPal is another one.'))
  }
  element.onerror = () => {
    element.remove()
    reject(new Error('The script of PayPal did not come.'))
  }
  document.head.append(element)
  return promise
}

/**
 * A payment by PayPal's own button. Its script opens the window at the click, asks for the order, and says how the buyer
 * came back. Where it opens none the page has a link, as without it.
 */
class PaypalForm implements PaymentForm {
  readonly wallet = 'paypal'
  readonly #buttons: Buttons
  readonly #about: About
  #place: HTMLElement | null = null
  /** What the script was promised; null: it waits for nothing. */
  #order: PromiseWithResolvers<string> | null = null
  #back: PromiseWithResolvers<CameBack> | null = null
  /** Whether it was refused its order, of which it tells as of a fault. */
  #isRefused = false

  constructor(script: Script, about: About) {
    this.#about = about
    this.#buttons = script.Buttons({
      fundingSource: 'paypal',
      style: { layout: 'vertical', label: 'pay', height: 48 },
      onClick: (_, actions) => this.#begin(actions),
      createOrder: () => this.#promise(),
      onApprove: async () => this.#back?.resolve('approved'),
      onCancel: () => this.#back?.resolve('cancelled'),
      onError: () => this.#failed(),
    })
  }

  get isEligible(): boolean {
    return this.#buttons.isEligible()
  }

  async token() {
    return { payment_token: this.wallet, gateway: this.wallet }
  }

  mount(place: HTMLElement): () => void {
    this.#place = place
    void this.#buttons.render(place)
    return () => void this.#buttons.close()
  }

  lead(address: string | null): Promise<CameBack> | null {
    const order = address && new URL(address).searchParams.get('token')
    if (!order) this.#refuse()
    else if (this.#order) {
      this.#order.resolve(order)
      this.#back = Promise.withResolvers()
      return this.#back.promise
    }
    return null
  }

  /** What is missing is said by the form, as by the button in whose place this one is. */
  #begin(actions: Actions): void {
    this.#isRefused = false
    this.#order = null
    this.#back = null
    if (this.#about.isReady()) return actions.resolve()
    actions.reject()
    this.#place?.closest('form')?.requestSubmit()
  }

  #promise(): Promise<string> {
    this.#order = Promise.withResolvers()
    const { promise } = this.#order
    void this.#about.pay().then(() => this.#refuse())
    return promise
  }

  #refuse(): void {
    if (!this.#order) return
    this.#isRefused = true
    this.#order.reject(new Error('There is no order.'))
    this.#order = null
  }

  /** Its window was blocked, or it broke: the page goes on by itself, and shows where to confirm. */
  #failed(): void {
    if (this.#isRefused) return
    if (this.#back) return this.#back.resolve('lost')
    const isAsked = this.#order !== null
    this.#order = null
    if (!isAsked) void this.#about.pay()
  }
}
