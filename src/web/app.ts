import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Soon, WebReply } from '../http/other-replies.ts'
import { framing } from '../http/page.ts'
import { policyOf } from './csp.ts'
import { htmlOf, prefixOf } from './html.ts'
import { fromBuild, replyUnbuilt } from './pages.ts'

interface App {
  /** What it is called in the build. */
  readonly name: string
  readonly title: string
  /** Given to its script beside what comes before each address of the server: any JSON. */
  readonly data: object
  /** Hosts whose pages may hold it in a frame; absent or none: nobody's. */
  readonly embedHosts?: readonly string[]
}

/**
 * One page, whose script shows what its address says, and asks the interface for it as whoever has come in. It stands in
 * no frame but those it names, and is kept nowhere: styles that its script makes carry a number of this answer alone.
 */
export const appPage = (ctx: Context, { name, title, data, embedHosts = [] }: App): Soon<WebReply> =>
  fromBuild(ctx, (built) => {
    if (typeof built === 'string') return replyUnbuilt(built)
    const page = built.pages[name]
    if (!page) return replyUnbuilt('failed')
    const nonce = randomBytes(16).toString('base64url')
    const prefix = prefixOf(ctx)
    const inline = page.head === '' ? {} : { inline: [page.head] }
    const { ancestors, headers } = framing(embedHosts)
    const styles = [`'nonce-${nonce}'`]
    return {
      status: 200,
      body: htmlOf({ page, title, prefix, data: { prefix, ...data }, nonce }),
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policyOf({ ...inline, images: ['https:'], styles, ancestors }),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      },
    }
  })
