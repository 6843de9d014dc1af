import { render } from 'preact'
import { readAddress } from './address.ts'
import { Host } from './host.ts'
import { Page, ProvidePage } from './page.ts'
import { Checkout } from './parts/Checkout.tsx'
import type { Product } from './product.ts'
import { CheckoutStore } from './store.ts'
import { languageFor, textsFor } from './texts/texts.ts'
import { keepInAddress, keptInAddress } from './kept.ts'
import { browserKey } from './visitor.ts'
import './style.css'

/** What the server has put into the page. */
interface Given {
  /** What comes before each path of the server. */
  readonly prefix: string
  readonly product: Product | null
}

function start(): void {
  const given = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Given
  const address = readAddress(location.pathname.slice(given.prefix.length), location.search)
  const language = languageFor(address.language)
  const host = new Host()
  const body = {
    product_id: address.productId,
    ...address.opens,
    mode: address.mode,
    visitor: browserKey(),
    ...(host.frame && { url: parentPage() }),
  }
  const store = new CheckoutStore({ prefix: given.prefix, body, kept: keptInAddress(address.mode) })
  const texts = textsFor(language)
  const page = new Page({
    address,
    store,
    host,
    product: given.product,
    prefix: given.prefix,
    language,
    texts,
  })
  document.documentElement.lang = language
  document.title = address.look.modalTitle ?? given.product?.title ?? texts.title
  if (address.look.id !== null) document.body.id = address.look.id
  document.documentElement.classList.add(address.mode)
  host.hear({ close: () => page.close(), leaving: () => page.offer(), context: () => {} })
  const app = document.getElementById('app')
  if (!app) return
  app.replaceChildren()
  render(
    <ProvidePage value={page}>
      <Checkout />
    </ProvidePage>,
    app,
  )
  void store.open().then(() => {
    keepInAddress(address.mode, store.state.checkout?.id ?? null)
    host.tell('loaded')
    if (store.state.checkout?.state === 'paid') return page.look()
    return undefined
  })
  if (host.frame && address.mode === 'dashboard') tellHeight(host)
}

/** A dashboard shows the page in a frame that does not scroll, as high as the page says. */
function tellHeight(host: Host): void {
  new ResizeObserver(() => {
    host.tell('height', { height: Math.ceil(document.documentElement.getBoundingClientRect().height) })
  }).observe(document.documentElement)
}

/** The page around this one, as the hash of the address names it. */
const parentPage = (): string => decodeURIComponent(location.hash.slice(1))

start()
