import type { WebOperation } from '../http/other-replies.ts'
import { hasSession } from '../http/session.ts'
import { appPage } from './app.ts'

/** Where a seller runs the business: it asks the interface with the session of who is signed in. */
export const dashboardPage: WebOperation = {
  reply: 'web',
  id: 'keywright/dashboard-page',
  paths: ['/dashboard', '/dashboard/*'],
  handle: (ctx, { headers }) =>
    appPage(ctx, {
      name: 'dashboard',
      title: 'Keywright',
      data: { mayBeSignedIn: hasSession(headers.cookie, ctx) },
    }),
}
