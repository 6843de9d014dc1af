import type { ComponentChildren } from 'preact'
import type { Field as Name } from '../state.ts'
import { usePage } from '../page.ts'

interface About {
  readonly name: Name
  readonly label: string
  /** What the browser may fill in by itself. */
  readonly autocomplete?: string
  readonly isOptional?: boolean
  readonly help?: string | null
}

interface Framed extends About {
  readonly children: (attributes: {
    readonly id: string
    readonly required: boolean
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }) => ComponentChildren
}

/** A labelled field, with its help and its error below it. */
function Framed({ name, label, isOptional = false, help = null, children }: Framed) {
  const { state, texts } = usePage()
  const error = state.errors[name]
  const id = `field-${name}`
  const notes = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="muted"> ({texts.optional})</span>}
      </label>
      {children({
        id,
        required: !isOptional,
        'aria-invalid': error !== undefined,
        'aria-describedby': notes || undefined,
      })}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p class="muted" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

interface TextField extends About {
  readonly type?: 'text' | 'email'
  readonly isReadonly?: boolean
  /** What the page around this one hears after a change. */
  readonly event?: string
}

export function TextField({ type = 'text', isReadonly = false, event, ...about }: TextField) {
  const page = usePage()
  const { name, autocomplete } = about
  return (
    <Framed {...about}>
      {(attributes) => (
        <input
          {...attributes}
          list={undefined}
          type={type}
          name={name}
          autocomplete={autocomplete}
          spellcheck={false}
          readOnly={isReadonly}
          value={page.state.input[name]}
          onInput={({ currentTarget }) => page.store.type(name, currentTarget.value)}
          onChange={() => {
            if (event !== undefined) page.host.track(event)
            void page.store.flush()
          }}
        />
      )}
    </Framed>
  )
}

interface SelectField extends About {
  readonly choices: readonly { readonly code: string; readonly name: string }[]
  /** What stands there while nothing is chosen. */
  readonly empty: string
  readonly chosen?: (value: string) => void
}

export function SelectField({ choices, empty, chosen, ...about }: SelectField) {
  const page = usePage()
  const { name, autocomplete } = about
  return (
    <Framed {...about}>
      {(attributes) => (
        <select
          {...attributes}
          name={name}
          autocomplete={autocomplete}
          value={page.state.input[name]}
          onChange={({ currentTarget }) => {
            page.store.type(name, currentTarget.value)
            chosen?.(currentTarget.value)
            void page.store.flush()
          }}
        >
          <option value="">{empty}</option>
          {choices.map(({ code, name: text }) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Framed>
  )
}
