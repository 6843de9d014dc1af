import type { Asked } from '../http/other-replies.ts'
import { notFound } from '../lib/errors.ts'
import { checkoutBase } from '../sales/checkouts/front/links.ts'
import { checkoutProduct, pageState } from '../sales/pricing-table/checkout-product.ts'
import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import { webBuild } from './build.ts'
import { webPage } from './pages.ts'

/** What the build has for the server: the table as a visitor first sees it. */
interface Renderer {
  renderPricing(asked: {
    readonly product: CheckoutProduct
    readonly checkout: string
    readonly query: URLSearchParams
    readonly languages: readonly string[]
  }): { readonly body: string; readonly shown: { readonly language: string } }
}

/**
 * The pricing table of a product: a page, or in a frame of any page. It is complete without scripts; with them currency,
 * cycle and number of licenses are chosen without a reload.
 */
export const pricingPage = webPage({
  id: 'keywright/pricing-page',
  page: 'pricing',
  paths: ['/pricing/product/{product_id}', '/pricing/product/{product_id}/'],
  headers: { vary: 'accept-language' },
  async find(ctx, asked) {
    const id = asked.params['product_id'] ?? ''
    if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound('product')
    const state = await pageState(ctx, Number(id), { environment: 0 })
    const query = chosenIn(asked)
    const languages = languagesIn(asked.headers['accept-language'])
    return {
      name: [state.tag, query, languages].join(' '),
      async show({ servers }) {
        const product = await checkoutProduct(ctx, state.known)
        const renderer = await webBuild.module<Renderer>(servers['pricing'] ?? '')
        const checkout = checkoutBase(ctx)
        const { body, shown } = renderer.renderPricing({ product, checkout, query, languages })
        const { language } = shown
        const policy = { images: ['https:'], ancestors: ['*'] }
        return { title: product.title, data: shown, body, language, isFound: true, policy }
      },
    }
  },
})

/** What of a query chooses what is shown first. */
const CHOSEN = ['currency', 'billing_cycle', 'licenses', 'locale', 'language'] as const

const chosenIn = ({ query }: Pick<Asked, 'query'>): URLSearchParams =>
  new URLSearchParams(
    CHOSEN.flatMap((name): [string, string][] => {
      const value = query[name]
      return typeof value === 'string' && value.length <= 20 ? [[name, value]] : []
    }),
  )

/** The languages of a browser, the one it likes best first; a few are enough. */
const languagesIn = (header = ''): readonly string[] =>
  header
    .slice(0, 200)
    .split(',')
    .map((one) => {
      const [language = '', weight = 'q=1'] = one.trim().split(';')
      return { language, weight: Number(weight.trim().slice(2)) || 0 }
    })
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
    .slice(0, 5)
