import type { WebOperation } from '../http/other-replies.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Confirmed</title></head>
<body><main><h1>Thank you</h1><p>You can close this window. The checkout goes on by itself.</p></main></body>
</html>
`

/** Where a bank leads a buyer back to: the checkout, which is open beside it, looks by itself how it ended. */
export const confirmedPage: WebOperation = {
  reply: 'web',
  id: 'keywright/checkout-confirmed',
  paths: ['/checkout/confirmed', '/checkout/confirmed/'],
  handle: async () => ({
    status: 200,
    body: PAGE,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
      'x-frame-options': undefined,
    },
  }),
}
