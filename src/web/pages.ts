import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { isKnown } from '../http/conditional.ts'
import { recentVersionOf } from '../db/version.ts'
import type { Asked, Soon, WebOperation, WebReply } from '../http/other-replies.ts'
import { PAGE_STYLE_SOURCE } from '../http/page.ts'
import { keptHeaders, Octets } from '../http/respond.ts'
import { Bounded } from '../lib/bounded.ts'
import { webBuild, type Unbuilt } from './build.ts'
import { policyOf, sourceOf, type Policy } from './csp.ts'
import { htmlOf, plainHtml, prefixOf } from './html.ts'
import type { BuiltPage, Manifest } from './manifest.ts'
import { WAITING_SCRIPT, waitingBody } from './waiting.ts'

type Headers = WebReply['headers']

/** What a page shows. */
export interface Shown {
  readonly title: string
  /** Given to the page's script: any JSON. */
  readonly data: unknown
  readonly policy: Policy
  /** What is seen before the script runs, and without it: HTML, escaped. */
  readonly body?: string
  readonly language?: string
  /** Whether search engines may list it. */
  readonly isFound?: boolean
}

/** The state of what a page shows: cheap to know, so that a page that was made for it is sent again. */
export interface PageState {
  readonly name: string
  show(built: Manifest): Promise<Shown>
}

/** A page of the front ends: what it is called in the build, where it is, and what it shows. */
interface WebPage extends Pick<WebOperation, 'id' | 'paths'> {
  readonly page: string
  /** Beside those of every page. */
  readonly headers?: Headers
  find(ctx: Context, asked: Asked): Promise<PageState>
}

/** A page as it is sent, with the tag of its content. */
interface Made {
  readonly body: Octets
  readonly headers: Headers
  readonly tag: string
}

/** The page that an address has while nothing is written to the database. */
interface Lately {
  readonly version: string
  readonly source: string
  readonly made: Made
}

/** How many pages are kept, of each kind: making one takes four statements, knowing its state one. */
const KEPT = 200
/** Addresses of which the page is known, of each kind and server; anybody may ask for longer ones without end. */
const KEPT_ADDRESSES = 1_000
const LONGEST_ADDRESS = 500

/** Finds the build, makes the page or takes it as it was made, and sends it with its policy, unless it is known. */
export function webPage({ page: name, headers, find, ...about }: WebPage): WebOperation {
  const made = new Bounded<Made>(KEPT)
  const lately = new WeakMap<Context, Bounded<Lately>>()
  const latelyIn = (ctx: Context) => {
    const known = lately.get(ctx) ?? new Bounded<Lately>(KEPT_ADDRESSES)
    lately.set(ctx, known)
    return known
  }
  const look = async (ctx: Context, asked: Asked, built: Manifest) => {
    const page = built.pages[name]
    if (!page) return replyUnbuilt('failed')
    // Read first: what is written meanwhile is another one.
    const version = recentVersionOf(ctx.database)
    const state = await find(ctx, asked)
    const { source } = built
    const key = `${source} ${ctx.baseUrl} ${state.name}`
    const found = made.get(key) ?? made.keep(key, make(ctx, page, await state.show(built), headers))
    const address = addressOf(asked)
    if (version !== undefined && address.length <= LONGEST_ADDRESS)
      latelyIn(ctx).keep(address, { version, source, made: found })
    return replyOf(asked, found)
  }
  return {
    reply: 'web',
    ...about,
    handle: (ctx, asked) =>
      fromBuild(ctx, (built) => (typeof built === 'string' ? replyUnbuilt(built) : look(ctx, asked, built))),
    kept(ctx, asked) {
      const known = lately.get(ctx)?.get(addressOf(asked))
      const isNow =
        known?.source === webBuild.found?.source && known?.version === recentVersionOf(ctx.database)
      return known && isNow ? replyOf(asked, known.made) : null
    },
  }
}

/** All of a request that a page is made by. */
function addressOf({ url, headers }: Pick<Asked, 'url' | 'headers'>): string {
  const languages = headers['accept-language']
  return languages === undefined ? url : `${url} ${languages}`
}

function replyOf(
  { headers: { 'if-none-match': known } }: Pick<Asked, 'headers'>,
  { tag, body, headers }: Made,
): WebReply {
  return { status: isKnown(known, tag) ? 304 : 200, body, headers }
}

/** Answers by the build, at once where it was found. */
export function fromBuild(
  { log }: Pick<Context, 'log'>,
  answer: (built: Manifest | Unbuilt) => Soon<WebReply>,
): Soon<WebReply> {
  const { found } = webBuild
  return found ? answer(found) : webBuild.find(log).then(answer)
}

function make(
  ctx: Context,
  page: BuiltPage,
  { policy: allowed, ...shown }: Shown,
  more: Headers | undefined,
): Made {
  const html = htmlOf({ page, prefix: prefixOf(ctx), ...shown })
  const policy = policyOf({ inline: page.head === '' ? [] : [page.head], ...allowed })
  const tag = hash('sha256', html + policy, 'base64url').slice(0, 22)
  const headers = { ...headersOf(policy), ...more, 'cache-control': 'no-cache', etag: `"${tag}"` }
  return { body: new Octets(html), headers: keptHeaders(headers), tag }
}

/** Who may show a page in a frame is said by its policy. */
const headersOf = (policy: string): Headers => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': undefined,
})

interface Plain {
  readonly status?: number
  readonly title: string
  /** HTML. */
  readonly body: string
  /** Who may show it in a frame. */
  readonly ancestors: string
  /** The one script that runs, as it stands in the body. */
  readonly script?: string
  readonly headers?: Headers
}

/** A page of a sentence or two, which needs no build, loads nothing, and runs nothing but the script that is named. */
export const plainPage = ({ status = 200, title, body, ancestors, script, headers }: Plain): WebReply => ({
  status,
  body: plainHtml({ title, body }),
  headers: {
    ...headersOf(
      [
        "default-src 'none'",
        ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
        `style-src ${PAGE_STYLE_SOURCE}`,
        `frame-ancestors ${ancestors}`,
      ].join('; '),
    ),
    ...headers,
  },
})

/** Seconds after which a page that waits for its build looks again. */
const AGAIN_AFTER = 2

const WHY_UNBUILT: Readonly<Record<Unbuilt, string>> = {
  building: 'This page is being built. It opens by itself in a few seconds.',
  failed: 'This page could not be built. Run “npm run build:web”, and see the log of the server.',
  'no tools': 'This page is not built. Run “npm ci”, then “npm run build:web”.',
}

/** Says why there is no page, and opens it again as soon as it may be there. */
export const replyUnbuilt = (why: Unbuilt): WebReply => ({
  ...plainPage({
    status: 503,
    title: 'Keywright',
    body: waitingBody(WHY_UNBUILT[why], why === 'building' ? AGAIN_AFTER : null),
    script: WAITING_SCRIPT,
    ancestors: '*',
    headers: {
      'retry-after': String(AGAIN_AFTER),
      ...(why === 'building' && { refresh: String(AGAIN_AFTER) }),
    },
  }),
  isSoon: why === 'building',
})
