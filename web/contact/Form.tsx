import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { fill } from '../shared/language.ts'
import { hostIn } from '../shared/web-address.ts'
import { LONGEST } from './address.ts'
import type { About } from './Contact.tsx'
import type { Errors, Input, Name } from './message.ts'

/** What is said about the last try. */
export interface Report {
  readonly errors?: Errors
  readonly problem?: string
  readonly note?: string
  readonly isSending?: boolean
  /** Why it waits. */
  readonly waits?: string
}

interface Filled extends About {
  readonly input: Input
  readonly report: Report
  readonly type: (name: Name, value: string) => void
}

export function Form({ send, ...filled }: Filled & { readonly send: () => Promise<void> }) {
  const { texts, product, address, report } = filled
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (report.problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [report.problem, report.isSending])
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!report.isSending) void send()
      }}
    >
      <p class="muted">
        {fill(texts.intro, { product: product.title })}
        {address.siteUrl !== null &&
          ` ${fill(texts.from, { site: hostIn(address.siteUrl) ?? address.siteUrl })}`}
      </p>
      <div role="alert">
        {report.problem !== undefined && (
          <p class="alert bad">
            {report.problem}
            {report.note !== undefined && <small>{report.note}</small>}
          </p>
        )}
      </div>
      <div class="pair">
        <Text {...filled} name="name" label={texts.name} autocomplete="name" isOptional />
        <Text {...filled} name="email" label={texts.email} autocomplete="email" kind="email" />
      </div>
      <Topic {...filled} />
      <Text {...filled} name="summary" label={texts.summary} isOptional />
      <Message {...filled} />
      <div role="status">{report.waits !== undefined && <p class="alert warning">{report.waits}</p>}</div>
      <button class="primary" aria-disabled={report.isSending}>
        {report.isSending ? texts.sending : texts.send}
      </button>
    </form>
  )
}

interface Framed extends Pick<Filled, 'texts' | 'report'> {
  readonly name: Name
  readonly label: string
  readonly isOptional?: boolean
  readonly children: (attributes: {
    readonly id: string
    readonly name: Name
    readonly maxLength: number
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }) => ComponentChildren
}

/** A labelled field, with its error below it. */
function Framed({ name, label, texts, report, isOptional = false, children }: Framed) {
  const error = report.errors?.[name]
  const id = `field-${name}`
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="muted"> ({texts.optional})</span>}
      </label>
      {children({
        id,
        name,
        maxLength: LONGEST[name],
        'aria-invalid': error !== undefined,
        'aria-describedby': error === undefined ? undefined : `${id}-error`,
      })}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface Text extends Filled {
  readonly name: Name
  readonly label: string
  readonly isOptional?: boolean
  readonly kind?: 'text' | 'email'
  readonly autocomplete?: string
}

function Text({ input, type, kind = 'text', autocomplete, ...about }: Text) {
  return (
    <Framed {...about}>
      {(attributes) => (
        <input
          {...attributes}
          list={undefined}
          type={kind}
          autocomplete={autocomplete ?? 'off'}
          required={!about.isOptional}
          value={input[about.name]}
          onInput={({ currentTarget }) => type(about.name, currentTarget.value)}
        />
      )}
    </Framed>
  )
}

function Topic({ input, type, ...about }: Filled) {
  const { texts, address } = about
  const topics: Readonly<Record<string, string>> = texts.topics
  const own = address.topic !== null && !Object.hasOwn(topics, address.topic) ? [address.topic] : []
  return (
    <Framed {...about} name="topic" label={texts.topic}>
      {({ maxLength: _, ...attributes }) => (
        <select
          {...attributes}
          value={input.topic}
          onChange={({ currentTarget }) => type('topic', currentTarget.value)}
        >
          {[...own, ...Object.keys(topics)].map((topic) => (
            <option key={topic} value={topic}>
              {topics[topic] ?? topic}
            </option>
          ))}
        </select>
      )}
    </Framed>
  )
}

function Message({ input, type, ...about }: Filled) {
  return (
    <Framed {...about} name="message" label={about.texts.message}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={8}
          required
          value={input.message}
          onInput={({ currentTarget }) => type('message', currentTarget.value)}
        />
      )}
    </Framed>
  )
}
