import { call, type Problem } from '../shared/call.ts'
import type { Address } from './address.ts'
import { en, type ContactTexts } from './texts/en.ts'

/** What a person types. */
export interface Input {
  readonly name: string
  readonly email: string
  readonly topic: string
  readonly summary: string
  readonly message: string
}
export type Name = keyof Input
export type Errors = Readonly<Partial<Record<Name, string>>>

const TOPICS: Readonly<Record<string, string>> = en.topics

/** The first fields: as the address says, else with what most write about. */
export const firstInput = ({ topic, summary, message }: Address): Input => ({
  name: '',
  email: '',
  topic: topic ?? 'technical_support',
  summary,
  message,
})

/** What is missing or cannot be. */
export function errorsIn({ email, message }: Input, texts: ContactTexts): Errors {
  return {
    ...(email.trim() === ''
      ? { email: texts.required }
      : !/^\S+@\S+\.\S+$/.test(email.trim()) && { email: texts.notAnEmail }),
    ...(message.trim() === '' && { message: texts.required }),
  }
}

interface Sent {
  readonly prefix: string
  readonly product: { readonly id: string; readonly public_key: string }
  readonly address: Address
  readonly input: Input
  /** One for all tries of a message, so that it is mailed once. */
  readonly key: string
  readonly waits: (problem: Problem | null) => void
}

/** Sends a message to the support; throws the `Problem` where it is refused. A limit of an hour is not waited for. */
export async function sendMessage({ prefix, product, address, input, key, waits }: Sent): Promise<void> {
  await call({
    method: 'POST',
    path: `${prefix}/v1/contact.json`,
    headers: { 'idempotency-key': key },
    body: bodyOf(product, address, input),
    waits,
    isTriedAgain: (problem) => problem.isPassing && problem.status !== 429,
  })
}

/** Support reads the same names of topics whatever language the page is in. */
function bodyOf({ id, public_key }: Sent['product'], address: Address, input: Input): object {
  const { publicKey, version, siteUrl, proof } = address
  const [name, email, summary, message] = [input.name, input.email, input.summary, input.message].map(
    (text) => text.trim(),
  )
  const parts = [summary, message, version === null ? '' : `Version: ${version}`]
  return {
    product_id: id,
    public_key: publicKey ?? public_key,
    email,
    topic: TOPICS[input.topic] ?? input.topic,
    message: parts.filter((part) => part !== '').join('\n\n'),
    ...(name !== '' && { name }),
    ...(siteUrl !== null && { site_url: siteUrl }),
    ...proof,
  }
}
