import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { isKnown } from '../http/conditional.ts'
import type { Asked, WebOperation, WebReply } from '../http/other-replies.ts'
import { webBuild } from './build.ts'
import { policyOf } from './csp.ts'
import { htmlOf } from './html.ts'
import { replyUnbuilt } from './unbuilt.ts'

/** Hosts of the card processor's form, which alone may load scripts of its own (`docs/security-checks.md` S36). */
const STRIPE = ['https://js.stripe.com', 'https://*.js.stripe.com']

/**
 * The hosted checkout: a page, in a frame over a shop, or in one of a WordPress dashboard. Any page may hold it, as
 * nothing signs anybody in here.
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
    const body = htmlOf({
      page,
      title: 'Checkout',
      prefix: prefixOf(ctx),
      data: { prefix: prefixOf(ctx), product: null },
    })
    const tag = hash('sha256', body, 'base64url').slice(0, 22)
    return {
      status: isKnown(asked.headers['if-none-match'], tag) ? 304 : 200,
      body,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf({
          inline: [page.head],
          scripts: STRIPE,
          connects: ['https://api.stripe.com'],
          frames: [...STRIPE, 'https://hooks.stripe.com'],
          images: ['https:'],
          ancestors: ['*'],
        }),
        'x-frame-options': undefined,
        'permissions-policy': 'payment=*',
        'cache-control': 'no-cache',
        etag: `"${tag}"`,
      },
    }
  },
}

/** What comes before each path of this server behind a proxy: empty, or a path without a slash at the end. */
const prefixOf = ({ baseUrl }: Pick<Context, 'baseUrl'>): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '')
