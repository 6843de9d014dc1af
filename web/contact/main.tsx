import { render } from 'preact'
import { paint } from '../shared/paint.ts'
import { frameOf, send, watchHeight } from '../shared/frame.ts'
import { fill, languageAmong, textsOf } from '../shared/language.ts'
import { readAddress } from './address.ts'
import { Contact, type Product } from './Contact.tsx'
import { de } from './texts/de.ts'
import { en, type ContactTexts } from './texts/en.ts'
import './style.css'

/** What the server has put into the page. */
interface Given {
  /** What comes before each path of the server. */
  readonly prefix: string
  readonly product: Product | null
}

const LANGUAGES: Readonly<Record<string, ContactTexts>> = { en, de }

function start(): void {
  const { prefix, product } = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Given
  const address = readAddress(location.search)
  const asked = address.language === null ? [] : [address.language]
  const language = languageAmong([...asked, ...navigator.languages], LANGUAGES)
  const texts = textsOf(language, LANGUAGES, en)
  document.documentElement.lang = language
  document.title = product ? fill(texts.title, { product: product.title }) : texts.noProductTitle
  const frame = frameOf(location.search, location.hash)
  if (frame) document.documentElement.classList.add('framed')
  paint(product?.accent ?? null)
  const app = document.getElementById('app')
  if (!app) return
  render(product ? <Contact {...{ address, product, prefix, texts }} /> : <NoProduct texts={texts} />, app)
  if (frame) watchHeight((height) => send(frame, 'height', { height }))
}

function NoProduct({ texts }: { readonly texts: ContactTexts }) {
  return (
    <main>
      <h1>{texts.noProductTitle}</h1>
      <p>{texts.noProduct}</p>
    </main>
  )
}

start()
