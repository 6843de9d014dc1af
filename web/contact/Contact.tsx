import { useRef, useState } from 'preact/hooks'
import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { useFocus } from '../shared/focus.ts'
import { LONGEST, type Address } from './address.ts'
import { Form, type Report } from './Form.tsx'
import { errorsIn, firstInput, sendMessage, type Errors, type Input, type Name } from './message.ts'
import type { ContactTexts } from './texts/en.ts'

export type Product = Pick<CheckoutProduct, 'id' | 'public_key' | 'title' | 'icon' | 'logo' | 'accent'>

export interface About {
  readonly address: Address
  readonly product: Product
  readonly prefix: string
  readonly texts: ContactTexts
}

/** The contact page: a form, then that it was sent. */
export function Contact(about: About) {
  const { address, texts } = about
  const [input, setInput] = useState<Input>(() => firstInput(address))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [report, setReport] = useState<Report>({})
  const key = useRef('')
  const type = (name: Name, value: string) => {
    key.current = ''
    setInput((before) => ({ ...before, [name]: value }))
    setReport(({ errors = {}, ...others }) => ({ ...others, errors: { ...errors, [name]: undefined } }))
  }
  const send = async () => {
    const errors = errorsIn(input, texts)
    if (Object.keys(errors).length > 0) return setReport({ errors, problem: texts.incomplete })
    key.current ||= crypto.randomUUID()
    setReport({ isSending: true })
    const waits = (problem: Problem | null) =>
      setReport({
        isSending: true,
        ...(problem && { waits: problem.status === 0 ? texts.offline : texts.busy }),
      })
    try {
      await sendMessage({ ...about, input, key: key.current, waits })
      setReport({})
      setSentTo(input.email.trim())
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      setReport(reportOf(error, about))
    }
  }
  const again = () => {
    setInput({ ...firstInput(address), name: input.name, email: input.email, summary: '', message: '' })
    key.current = ''
    setSentTo(null)
  }
  return (
    <main>
      <Back {...about} />
      <Head {...about} />
      {sentTo === null ? (
        <Form {...{ ...about, input, report, type }} send={send} />
      ) : (
        <Sent {...about} email={sentTo} again={again} />
      )}
    </main>
  )
}

/** Why a message was not taken, above the form and at its fields. */
function reportOf(
  { status, code, details, requestId }: Problem,
  { texts, product }: Pick<About, 'texts' | 'product'>,
): Report {
  const names = details.map(({ field }) => field).filter((field): field is Name => field in LONGEST)
  const errors: Errors = Object.fromEntries(
    names.map((name) => [name, name === 'email' ? texts.notAnEmail : texts.notTaken]),
  )
  const values = { product: product.title }
  if (names.length > 0) return { errors, problem: texts.incomplete }
  if (status === 429) return { problem: texts.tooMany }
  if (code === 'no_support_address') return { problem: fill(texts.noSupport, values) }
  if (status === 404) return { problem: fill(texts.unknown, values) }
  return {
    problem: texts.failed,
    ...(requestId !== null && { note: fill(texts.requestId, { id: requestId }) }),
  }
}

/** The way back of a page in a tab of its own. */
function Back({ address: { back }, texts }: About) {
  if (back === null) return null
  return (
    <a class="back" href={back}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M10 3L5 8l5 5" />
      </svg>
      {fill(texts.back, { site: new URL(back).host })}
    </a>
  )
}

function Head({ product, texts }: About) {
  const picture = product.logo ?? product.icon
  return (
    <header>
      {picture !== null && <img src={picture} alt="" width={40} height={40} />}
      <h1>{fill(texts.title, { product: product.title })}</h1>
    </header>
  )
}

function Sent({
  texts,
  product,
  email,
  again,
}: About & { readonly email: string; readonly again: () => void }) {
  const heading = useFocus<HTMLHeadingElement>({ preventScroll: true })
  return (
    <section class="done">
      <svg class="check" viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="19" />
        <path d="M12 20.5l5.5 5.5L28.5 15" />
      </svg>
      <h2 ref={heading} tabIndex={-1}>
        {texts.doneTitle}
      </h2>
      <p>{fill(texts.done, { product: product.title, email })}</p>
      <button type="button" onClick={again}>
        {texts.another}
      </button>
    </section>
  )
}
