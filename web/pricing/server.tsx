import { renderToString } from 'preact-render-to-string'
import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { languageAmong } from '../shared/language.ts'
import { firstChoice } from './choice.ts'
import { LANGUAGES, Pricing, type Shown } from './Pricing.tsx'

interface Asked {
  readonly product: CheckoutProduct
  readonly checkout: string
  readonly query: URLSearchParams
  /** Of the browser, the one it likes best first. */
  readonly languages: readonly string[]
}

/** The table as a visitor first sees it, complete without scripts, and what the script goes on with. */
export function renderPricing({ product, checkout, query, languages }: Asked): {
  readonly body: string
  readonly shown: Shown
} {
  const asked = query.get('locale') ?? query.get('language')
  const shown = {
    product,
    checkout,
    language: languageAmong(asked === null ? languages : [asked, ...languages], LANGUAGES),
    choice: firstChoice(product.plans, {
      currency: query.get('currency'),
      cycle: query.get('billing_cycle'),
      licenses: query.get('licenses'),
    }),
  }
  return { body: renderToString(<Pricing {...shown} />), shown }
}
