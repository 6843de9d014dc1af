import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Frame } from './frame.ts'
import { respondWeb } from './mount-others.ts'
import type { WebOperation } from './other-replies.ts'
import { respondPage } from './page.ts'
import { JSON_TYPE, respond } from './respond.ts'

const TITLE = 'Keywright'
const TEXT = 'A licensing and commerce server runs here.'
/** What is there to open, from wherever this server is reached; the version is nobody's business. */
const PLACES = {
  dashboard: 'dashboard/',
  docs: 'docs',
  openapi: 'v1/openapi.json',
  health: 'healthz',
} as const
const LINKS = [
  { to: PLACES.dashboard, text: 'The dashboard, for who sells here' },
  { to: PLACES.docs, text: 'The reference of its interface' },
  { to: PLACES.openapi, text: 'The same as data (OpenAPI)' },
  { to: PLACES.health, text: 'Whether it lives' },
]

type Root = FastifyRequest<{ Querystring: { readonly plugin_id?: string; readonly product_id?: string } }>

/**
 * Says what this is to who opens the address of the server: a page to a browser, JSON to anybody else. With a product
 * it is that product's checkout, as the overlay opens it here; no credential opens anything.
 */
export function mountRoot(
  server: FastifyInstance,
  frame: Frame,
  checkout: Pick<WebOperation, 'handle'>,
): void {
  server.get('/', async (request: Root, reply) => {
    const { query, headers } = request
    if (headers.authorization !== undefined) return reply.callNotFound()
    if (query.plugin_id !== undefined || query.product_id !== undefined)
      return respondWeb(frame, checkout, request, reply)
    const varying = { vary: 'accept' }
    if (headers.accept?.includes('text/html')) {
      respondPage(reply, { title: TITLE, text: TEXT, links: LINKS, headers: varying })
      return
    }
    const body = JSON.stringify({ name: TITLE, description: TEXT, ...PLACES })
    respond(reply, 200, body, { ...JSON_TYPE, ...varying })
  })
}
