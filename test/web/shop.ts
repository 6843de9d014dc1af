import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestApp } from '../app.ts'
import { html, startSite, type Site } from './site.ts'

/** The overlay as shops have it, unmodified from the registry. */
const CLIENT = fileURLToPath(
  new URL('../../node_modules/@freemius/checkout/lib/global/checkout.global.js', import.meta.url),
)

interface Sells {
  /** Options of the checkout. */
  readonly options: Readonly<Record<string, unknown>>
  /** The script of the server in the place of the package. */
  readonly script?: string
}

/**
 * A page that sells with the overlay: a button opens it, and `window.heard` has what the page was told, each with its
 * data, in order. What a link opens by itself is heard of in `window.said`, as the package has nobody to call.
 */
export async function startShop({ address }: Pick<TestApp, 'address'>, sells: Sells): Promise<Site> {
  const client = { type: 'text/javascript', body: await readFile(CLIENT) }
  return startSite({ '/': html(pageOf(address, sells)), '/client.js': client })
}

const pageOf = (server: string, { options, script }: Sells) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head>
<body style="background: #fde">
<h1>Shop</h1>
<button id="buy">Buy</button>
<script>
  window.heard = []
  window.said = []
  addEventListener('message', ({ data }) => void window.said.push(JSON.parse(data).type))
  const hear = (name) => (...given) => void window.heard.push([name, ...given])
  const events = Object.fromEntries(
    ['cancel', 'purchaseCompleted', 'success', 'track', 'afterOpen', 'afterClose', 'onExitIntent'].map((name) => [name, hear(name)]),
  )
  // What our own script calls of a link that it opens by itself.
  window.FS = { paymentMethodUpdateEvents: events }
</script>
<script src="${script ?? '/client.js'}"></script>
<script>
  const options = ${JSON.stringify(options)}
  const checkout = new FS.Checkout(options, true${script === undefined ? `, ${JSON.stringify(server)}` : ''})
  window.checkout = checkout
  document.getElementById('buy').addEventListener('click', () => checkout.open(events))
</script>
</body></html>
`
