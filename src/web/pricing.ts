import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { isKnown } from '../http/conditional.ts'
import type { Asked, WebOperation, WebReply } from '../http/other-replies.ts'
import { notFound } from '../lib/errors.ts'
import { checkoutBase } from '../sales/checkouts/front/links.ts'
import { checkoutProduct, pageState } from '../sales/pricing-table/checkout-product.ts'
import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import { webBuild } from './build.ts'
import { policyOf } from './csp.ts'
import { htmlOf, prefixOf } from './html.ts'
import { Kept } from './kept.ts'
import type { Manifest } from './manifest.ts'
import { replyUnbuilt } from './unbuilt.ts'

/** What the build has for the server: the table as a visitor first sees it. */
interface Renderer {
  renderPricing(asked: {
    readonly product: CheckoutProduct
    readonly checkout: string
    readonly query: URLSearchParams
    readonly languages: readonly string[]
  }): { readonly body: string; readonly shown: { readonly language: string } }
}

interface Made {
  readonly body: string
  readonly tag: string
}

const made = new Kept<Made>(200)

/**
 * The pricing table of a product: a page, or in a frame of any page. It is complete without scripts; with them currency,
 * cycle and number of licenses are chosen without a reload.
 */
export const pricingPage: WebOperation = {
  reply: 'web',
  id: 'keywright/pricing-page',
  paths: ['/pricing/product/{product_id}', '/pricing/product/{product_id}/'],
  async handle(ctx: Context, asked: Asked): Promise<WebReply> {
    const built = await webBuild.find(ctx.log)
    if (typeof built === 'string') return replyUnbuilt(built)
    const { body, tag } = await pageFor(ctx, asked, built)
    return {
      status: isKnown(asked.headers['if-none-match'], tag) ? 304 : 200,
      body,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf({ images: ['https:'], ancestors: ['*'] }),
        'x-frame-options': undefined,
        'cache-control': 'no-cache',
        vary: 'accept-language',
        etag: `"${tag}"`,
      },
    }
  },
}

/** What of a query chooses what is shown first. */
const CHOSEN = ['currency', 'billing_cycle', 'licenses', 'locale', 'language'] as const

async function pageFor(ctx: Context, asked: Asked, built: Manifest): Promise<Made> {
  const id = asked.params['product_id'] ?? ''
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound('product')
  const state = await pageState(ctx, Number(id), { environment: 0 })
  const query = new URLSearchParams(
    CHOSEN.flatMap((name): [string, string][] => {
      const value = asked.query[name]
      return typeof value === 'string' && value.length <= 20 ? [[name, value]] : []
    }),
  )
  const languages = languagesIn(asked.headers['accept-language'])
  const name = [state.tag, built.source, ctx.baseUrl, query, languages].join(' ')
  return made.get(name, async () => {
    const product = await checkoutProduct(ctx, state.known)
    const renderer = await webBuild.module<Renderer>(built.servers['pricing'] ?? '')
    const { body, shown } = renderer.renderPricing({ product, checkout: checkoutBase(ctx), query, languages })
    return pageOf(ctx, { product, body, shown, page: built.pages['pricing'] })
  })
}

interface Rendered {
  readonly product: CheckoutProduct
  readonly body: string
  readonly shown: { readonly language: string }
  readonly page: Manifest['pages'][string] | undefined
}

function pageOf(ctx: Context, { product, body, shown, page }: Rendered): Made {
  if (!page) throw new Error('The build has no pricing table.')
  const prefix = prefixOf(ctx)
  const { language } = shown
  const html = htmlOf({ page, title: product.title, prefix, data: shown, body, language, isFound: true })
  return { body: html, tag: hash('sha256', html, 'base64url').slice(0, 22) }
}

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
