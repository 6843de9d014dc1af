import type { Page } from 'playwright-core'

/** A field of a form as it stands, by its name. */
interface Standing {
  readonly name: string
  readonly value: string | boolean
  readonly isInvalid: boolean
  readonly hasFocus: boolean
  /** The texts that `aria-describedby` ties to it. */
  readonly told: string
}

export interface FormSeen {
  readonly fields: readonly Standing[]
  /** What stands above them as wrong. */
  readonly above: string
  /** Everything that is said elsewhere in the form. */
  readonly beside: string
}

/**
 * In the page: gives each named field of a form another value than it has, as somebody does who types it, until no
 * further one appears; whether one is not a proof of who it is, which is typed again in a moment.
 */
const FILL = `async (form, given) => {
  const done = new Set()
  const isOpen = ({ name, disabled, readOnly, type }) =>
    name !== '' && !disabled && !readOnly && !/^(file|hidden)$/.test(type)
  const textFor = ({ type, inputMode, name, value }) => {
    if (type === 'datetime-local') return '2041-05-06T07:08:09'
    if (/numeric|decimal/.test(inputMode)) return value === '7' ? '8' : '7'
    if (type === 'email') return 'another.' + name + '@example.com'
    if (type === 'url') return 'https://' + name.replaceAll('_', '-') + '.example'
    return 'Another ' + name
  }
  const otherOf = ({ options, value }) =>
    [...options].find((one) => one.value !== value && one.value !== '')?.value ?? value
  const put = (field, value) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value)
    field.dispatchEvent(new Event(field.options ? 'change' : 'input', { bubbles: true }))
  }
  for (;;) {
    const field = [...form.querySelectorAll('input, select, textarea')].find((one) => isOpen(one) && !done.has(one))
    if (!field) break
    done.add(field)
    field.focus()
    if (/^(checkbox|radio)$/.test(field.type)) field.click()
    else put(field, given[field.name] ?? (field.options ? otherOf(field) : textFor(field)))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return [...done].some((one) => one.type !== 'password' && one.autocomplete !== 'one-time-code')
}`

const SEE = `(form, copy = form.cloneNode(true)) => ({
  fields: [...form.querySelectorAll('input, select, textarea')].map((field) => ({
    name: field.name,
    value: field.type === 'checkbox' ? field.checked : field.value,
    isInvalid: field.getAttribute('aria-invalid') === 'true',
    hasFocus: field === document.activeElement,
    told: (field.getAttribute('aria-describedby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' '),
  })),
  above: [...form.querySelectorAll('[role=alert]')].map((one) => one.textContent).join(' '),
  beside: (copy.querySelectorAll('[role=alert]').forEach((one) => one.remove()), copy.textContent),
})`

/** In the page: whether the browser asks before it loads the page anew. */
const ASKS = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`

/** The form that a selector finds in a page. */
export function formIn(page: Page, selector: string) {
  const run = (code: string, more?: object) =>
    page.evaluate(`(${code})(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(more)})`)
  return {
    fill: (given: Readonly<Record<string, string>> = {}) => run(FILL, given) as Promise<boolean>,
    see: () => run(SEE) as Promise<FormSeen>,
    isAskedOnReload: () => page.evaluate(ASKS) as Promise<boolean>,
  }
}
