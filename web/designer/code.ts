import { setIn, type Values } from './parameters.ts'

interface Wanted {
  /** Where the checkout is, without a slash at the end. */
  readonly base: string
  readonly productId: string
  readonly values: Values
}

export const FORMS = ['link', 'script', 'button'] as const
export type Form = (typeof FORMS)[number]

/** The checkout as a seller puts it somewhere: an address, a script, or a button with attributes. */
export const CODE: Readonly<Record<Form, (wanted: Wanted, label: string) => string>> = {
  link: (wanted) => checkoutLink(wanted),
  script({ base, productId, values }, label) {
    const options = { product_id: productId, ...Object.fromEntries(setIn(values)) }
    return [
      `<button id="buy">${escaped(label)}</button>`,
      scriptOf(base),
      `<script>`,
      `  const checkout = new FS.Checkout(${inScript(options)})`,
      `  document.getElementById('buy').addEventListener('click', () => checkout.open())`,
      `</script>`,
    ].join('\n')
  },
  button({ base, productId, values }, label) {
    const attributes = setIn(values).map(
      ([name, value]) => `\n  data-${name.replaceAll('_', '-')}="${escaped(value)}"`,
    )
    const product = `data-keywright-product="${escaped(productId)}"`
    return [`<button ${product}${attributes.join('')}>${escaped(label)}</button>`, scriptOf(base)].join('\n')
  },
}

export function checkoutLink({ base, productId, values }: Wanted): string {
  const query = new URLSearchParams(Object.fromEntries(setIn(values))).toString()
  return `${base}/checkout/product/${encodeURIComponent(productId)}/${query === '' ? '' : `?${query}`}`
}

const scriptOf = (base: string) => `<script src="${escaped(base)}/js/v1/"></script>`

/** An object as source text that cannot end the script it stands in. */
const inScript = (options: object): string =>
  JSON.stringify(options, null, 2).replaceAll('<', '\\u003c').replaceAll('\n', '\n  ')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one)
