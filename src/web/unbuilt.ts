import type { WebReply } from '../http/other-replies.ts'
import type { Unbuilt } from './build.ts'

/** Seconds after which a page that waits for its build looks again. */
const AGAIN_AFTER = 2

const TEXTS: Readonly<Record<Unbuilt, string>> = {
  building: 'This page is being built. It opens by itself in a few seconds.',
  failed: 'This page could not be built. Run “npm run build:web”, and see the log of the server.',
  'no tools': 'This page is not built. Run “npm ci”, then “npm run build:web”.',
}

/** Says why there is no page, and opens it again as soon as it may be there. */
export const replyUnbuilt = (why: Unbuilt): WebReply => ({
  status: 503,
  body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Keywright</title></head>
<body><p>${TEXTS[why]}</p></body>
</html>
`,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors *",
    'x-frame-options': undefined,
    'retry-after': String(AGAIN_AFTER),
    ...(why === 'building' && { refresh: String(AGAIN_AFTER) }),
  },
})
