import { render } from 'preact'
import { paint } from '../shared/paint.ts'
import { watchHeight } from '../shared/frame.ts'
import { readAddress, type Address } from './address.ts'
import { Host } from './host.ts'
import { Page, ProvidePage } from './page.ts'
import { Checkout } from './parts/Checkout.tsx'
import type { Product } from './product.ts'
import { CheckoutStore } from './store.ts'
import { languageFor, textsFor } from './texts/texts.ts'
import { hideBuyerInAddress, keepInAddress, keptInAddress } from './kept.ts'
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
  const page = pageFor(given)
  dress(page, given)
  page.host.hear({ close: () => page.exit.close('shop'), leaving: () => page.exit.offer() })
  const app = document.getElementById('app')
  if (!app) return
  app.replaceChildren()
  render(
    <ProvidePage value={page}>
      <Checkout />
    </ProvidePage>,
    app,
  )
  void open(page)
  // A dashboard shows the page in a frame that does not scroll, as high as the page says.
  if (page.host.frame?.mode === 'dashboard') watchHeight((height) => page.host.tell('height', { height }))
}

function pageFor({ prefix, product }: Given): Page {
  const told = readAddress(location.pathname.slice(prefix.length), location.search)
  const host = new Host()
  // Without a page around it, as where the free build leads, it is a page with a way back.
  const address: Address = host.frame ? told : { ...told, mode: 'page' }
  hideBuyerInAddress(address)
  const language = languageFor(address.language)
  const body = {
    product_id: address.productId,
    ...address.opens,
    mode: told.mode,
    language,
    visitor: browserKey(),
    ...(host.frame && { url: parentPage() }),
  }
  const store = new CheckoutStore({ prefix, body, kept: keptInAddress(address.mode) })
  return new Page({ address, store, host, product, language, texts: textsFor(language) })
}

/** Opens the checkout, and tells the page around this one when it can be used, or says why it cannot. */
async function open({ store, address, host, look }: Page): Promise<void> {
  await store.open()
  keepInAddress(address.mode, store.state.checkout?.id ?? null)
  host.tell('loaded')
  // Paid, or in work at its bank: by an earlier visit, or in another window.
  if (store.state.checkout && store.state.checkout.state !== 'open') await look()
}

/** What of the document is not drawn by the parts: language, title, colours. */
function dress({ address, language, texts }: Page, { product }: Given): void {
  const root = document.documentElement
  root.lang = language
  root.classList.add(address.mode)
  document.title = address.look.modalTitle ?? product?.title ?? texts.title
  if (address.look.id !== null) document.body.id = address.look.id
  paint(product?.accent ?? null)
}

/** The page around this one, as the hash of the address names it. */
const parentPage = (): string => decodeURIComponent(location.hash.slice(1))

start()
