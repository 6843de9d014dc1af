import { render } from 'preact'
import { languageAmong, textsOf } from '../shared/language.ts'
import { Designer, type Begin } from './Designer.tsx'
import { PRODUCT, valuesIn } from './parameters.ts'
import { de } from './texts/de.ts'
import { en, type DesignerTexts } from './texts/en.ts'
import './style.css'

/** What the server has put into the page. */
interface Given {
  readonly prefix: string
  readonly base: string
}

const LANGUAGES: Readonly<Record<string, DesignerTexts>> = { en, de }

/** The sandbox of the address is that of the preview, and no part of what is designed. */
function beginIn(search: string): Begin {
  const query = new URLSearchParams(search)
  const { sandbox, s_ctx_ts, ...values } = valuesIn(query)
  return {
    productId: PRODUCT.map((name) => query.get(name) ?? '').find(Boolean) ?? '',
    values,
    sandbox: { ...(sandbox !== undefined && { sandbox }), ...(s_ctx_ts !== undefined && { s_ctx_ts }) },
  }
}

function start(): void {
  const given = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Given
  const language = languageAmong(navigator.languages, LANGUAGES)
  const texts = textsOf(language, LANGUAGES, en)
  document.documentElement.lang = language
  document.title = texts.words.title
  const app = document.getElementById('app')
  if (app) render(<Designer {...given} texts={texts} begin={beginIn(location.search)} />, app)
}

start()
