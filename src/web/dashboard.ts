import { randomBytes } from 'node:crypto'
import type { WebOperation } from '../http/other-replies.ts'
import { hasSession } from '../http/session.ts'
import { policyOf } from './csp.ts'
import { htmlOf, prefixOf } from './html.ts'
import { fromBuild, replyUnbuilt } from './pages.ts'

const PAGE = 'dashboard'

/**
 * Where a seller runs the business: one page, whose script shows what its address says, and asks the interface for it
 * with the session of who is signed in. It stands in no frame, and is kept nowhere: styles that its script makes carry
 * a number of this answer alone.
 */
export const dashboardPage: WebOperation = {
  reply: 'web',
  id: 'keywright/dashboard-page',
  paths: ['/dashboard', '/dashboard/*'],
  handle: (ctx, { headers }) =>
    fromBuild(ctx, (built) => {
      if (typeof built === 'string') return replyUnbuilt(built)
      const page = built.pages[PAGE]
      if (!page) return replyUnbuilt('failed')
      const nonce = randomBytes(16).toString('base64url')
      const prefix = prefixOf(ctx)
      const inline = page.head === '' ? {} : { inline: [page.head] }
      return {
        status: 200,
        body: htmlOf({
          page,
          title: 'Keywright',
          prefix,
          data: { prefix, mayBeSignedIn: hasSession(headers.cookie, ctx) },
          nonce,
        }),
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': policyOf({
            ...inline,
            images: ['https:'],
            styles: [`'nonce-${nonce}'`],
          }),
          'cross-origin-opener-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
        },
      }
    }),
}
