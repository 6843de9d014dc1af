import type { WebOperation } from '../http/other-replies.ts'
import { plainPage } from './pages.ts'

/** Where a bank leads a buyer back to: the checkout, which is open beside it, looks by itself how it ended. */
export const confirmedPage: WebOperation = {
  reply: 'web',
  id: 'keywright/checkout-confirmed',
  paths: ['/checkout/confirmed', '/checkout/confirmed/'],
  handle: async () =>
    plainPage({
      title: 'Confirmed',
      body: '<main><h1>Thank you</h1><p>You can close this window. The checkout goes on by itself.</p></main>',
      ancestors: "'self'",
    }),
}
