import { Problem } from '../shared/call.ts'
import { CheckoutServer, type Change, type Checkout } from './server.ts'
import { inputOf, NAMES, START, type Consent, type Field, type State } from './state.ts'

/** Milliseconds after the last key until the server is told what was typed. */
const QUIET = 350

interface Opening {
  readonly prefix: string
  /** What the checkout is opened with. */
  readonly body: Readonly<Record<string, unknown>>
  /** A checkout that was opened before a reload; null: none was. */
  readonly kept: string | null
}

/**
 * A checkout as the page has it. One change is under way at a time and the last one wins; what is typed meanwhile is
 * sent next.
 */
export class CheckoutStore {
  readonly server: CheckoutServer
  readonly #opening: Opening
  #state: State = START
  readonly #watchers = new Set<() => void>()
  #unsent: Change = {}
  #sending: Promise<void> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(opening: Opening) {
    this.#opening = opening
    this.server = new CheckoutServer(opening.prefix, (waits) => this.set({ waits }))
  }

  get state(): State {
    return this.#state
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const watcher of this.#watchers) watcher()
  }

  /** Calls `watcher` after each change; returns what ends that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Opens the checkout, or the one that was open before a reload. */
  async open(): Promise<void> {
    this.set({ phase: 'opening', problem: null })
    try {
      const checkout = (await this.#kept()) ?? (await this.server.open(this.#opening.body))
      this.set({ phase: 'open', checkout, input: inputOf(checkout, this.#state.input) })
    } catch (error) {
      this.set({ phase: 'failed', problem: problemOf(error) })
    }
  }

  async #kept(): Promise<Checkout | null> {
    const { kept } = this.#opening
    if (kept === null) return null
    return this.server.look(kept).catch(() => null)
  }

  /** Takes what was typed; the server is told once the typing rests. */
  type(field: Field, value: string): void {
    const { [field]: _, ...errors } = this.#state.errors
    this.set({ input: { ...this.#state.input, [field]: value }, errors })
    const name = field in NAMES ? NAMES[field as keyof typeof NAMES] : undefined
    if (name === undefined || field === 'coupon') return
    this.#unsent = { ...this.#unsent, [name]: value }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), QUIET)
  }

  tick(consent: Consent, isTicked: boolean): void {
    const { [consent]: _, ...errors } = this.#state.errors
    this.set({ ticks: { ...this.#state.ticks, [consent]: isTicked }, errors })
  }

  /** Takes a choice, and tells the server at once. */
  choose(change: Change): Promise<void> {
    this.#unsent = { ...this.#unsent, ...change }
    return this.flush()
  }

  /** Sends what the server does not know yet; resolves when it knows all of it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#sending) await this.#sending
    if (Object.keys(this.#unsent).length === 0) return
    this.#sending = this.#send()
    await this.#sending
    await this.flush()
  }

  async #send(): Promise<void> {
    const { checkout } = this.#state
    const change = this.#unsent
    this.#unsent = {}
    try {
      if (!checkout) return
      this.#take(await this.server.change(checkout.id, complete(change)))
    } catch (error) {
      this.refuse(problemOf(error))
    } finally {
      this.#sending = null
    }
  }

  /** What nobody is asked for any more is not missing either. */
  #take(checkout: Checkout): void {
    const { waiver, ...others } = this.#state.errors
    const isMissing = waiver !== undefined && checkout.waiver !== null
    this.set({ checkout, problem: null, errors: { ...others, ...(isMissing && { waiver }) } })
  }

  /** Shows why something was refused, at the fields it is about. */
  refuse(problem: Problem): void {
    const errors = Object.fromEntries(
      problem.details.flatMap(({ field, message }) => {
        const name = Object.entries(NAMES).find(([, one]) => one === field)?.[0]
        return name === undefined ? [] : [[name, message]]
      }),
    )
    const isOfFields = Object.keys(errors).length > 0
    this.set({
      errors: { ...this.#state.errors, ...errors },
      problem: isOfFields ? this.#state.problem : problem,
    })
  }
}

/** An address that is being typed is none yet, and would be refused with all that came with it. */
function complete({ user_email: email, ...others }: Change): Change {
  return email === undefined || isAddress(email)
    ? { ...others, ...(email !== undefined && { user_email: email }) }
    : others
}

/** Whether a text may be an e-mail address; the server decides. */
export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text.trim())

export const problemOf = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        status: 0,
        code: 'fault',
        message: error instanceof Error ? error.message : String(error),
      })
