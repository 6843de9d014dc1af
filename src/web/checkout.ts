import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { isKnown } from '../http/conditional.ts'
import type { Asked, WebOperation, WebReply } from '../http/other-replies.ts'
import { ApiError } from '../lib/errors.ts'
import { checkoutProduct, pageState } from '../sales/pricing-table/checkout-product.ts'
import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import { webBuild } from './build.ts'
import { policyOf } from './csp.ts'
import { htmlOf, prefixOf } from './html.ts'
import { Kept } from './kept.ts'
import type { BuiltPage } from './manifest.ts'
import { replyUnbuilt } from './unbuilt.ts'

/** A page as it is sent, with the tag of its content. */
interface Made {
  readonly body: string
  readonly tag: string
  readonly policy: string
}

/** Pages that were made, by the state of what they show: making one takes four statements, knowing the state one. */
const made = new Kept<Made>(200)

/**
 * The hosted checkout: a page, in a frame over a shop, or in one of a WordPress dashboard. Any page may hold it unless
 * the seller says whose, as nothing signs anybody in here.
 */
export const checkoutPage: WebOperation = {
  reply: 'web',
  id: 'keywright/checkout-page',
  paths: ['checkout', 'product', 'plugin', 'app', 'mode'].map((name) => `/${name}/*`),
  async handle(ctx: Context, asked: Asked): Promise<WebReply> {
    const built = await webBuild.find(ctx.log)
    if (typeof built === 'string') return replyUnbuilt(built)
    const page = built.pages['checkout']
    if (!page) return replyUnbuilt('failed')
    const { body, tag, policy } = await pageFor(ctx, asked, page)
    return {
      status: isKnown(asked.headers['if-none-match'], tag) ? 304 : 200,
      body,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'x-frame-options': undefined,
        'permissions-policy': 'payment=*',
        'cache-control': 'no-cache',
        etag: `"${tag}"`,
      },
    }
  },
}

async function pageFor(ctx: Context, asked: Asked, page: BuiltPage): Promise<Made> {
  const productId = productIn(asked)
  const environment = asked.query['sandbox'] === undefined ? 0 : 1
  const state = productId === null ? null : await stateOf(ctx, productId, environment)
  const name = `${state?.tag ?? 'none'}-${page.script}-${ctx.baseUrl}`
  return made.get(name, async () => pageOf(ctx, page, state && (await checkoutProduct(ctx, state.known))))
}

/** Null: there is no such product, which the page says. */
async function stateOf(ctx: Context, productId: number, environment: 0 | 1) {
  try {
    return await pageState(ctx, productId, { environment })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

function pageOf(ctx: Context, page: BuiltPage, product: CheckoutProduct | null): Made {
  const prefix = prefixOf(ctx)
  const title = product?.title ?? 'Checkout'
  const body = htmlOf({ page, title, prefix, data: { prefix, product } })
  const { gateway, publishable_key: key = null } = product?.payment ?? {}
  // The form of a gateway alone loads what is not ours (`docs/security-checks.md` S36).
  const loads = key === null ? undefined : ctx.gateways.find(({ code }) => code === gateway)?.form?.loads
  const hosts = product?.embed_hosts ?? []
  const policy = policyOf({
    inline: [page.head],
    ...loads,
    images: ['https:'],
    ancestors: hosts.length === 0 ? ['*'] : ["'self'", ...hosts],
  })
  return { body, policy, tag: hash('sha256', body + policy, 'base64url').slice(0, 22) }
}

/** The id of the product in a query or a path; null: there is none. */
function productIn({ query, path }: Asked): number | null {
  const named =
    query['product_id'] ?? query['plugin_id'] ?? /\/(?:product|plugin|app)\/(\d+)(?:\/|$)/.exec(path)?.[1]
  return typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : null
}
