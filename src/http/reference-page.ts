import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../lib/once.ts'
import { BASE_PATH } from './mounts.ts'
import { openApiDocument, type About } from './openapi.ts'
import type { AnyOperation } from './operation.ts'
import { JSON_TYPE, respond } from './respond.ts'

/** Always the server that the page came from, whatever address it is reached by. */
const START_SCRIPT = `\
const base = new URL('.', document.baseURI)
const response = await fetch(new URL('v1/openapi.json', base))
const spec = await response.json()
spec.servers = [{ url: new URL('v1', base).href }]
SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  docExpansion: 'none',
  deepLinking: true,
  filter: true,
  validatorUrl: null,
})
`

const script = { 'content-type': 'text/javascript; charset=utf-8' }

/** The files beside the page, each read at its first use. */
const ASSETS: Readonly<
  Record<string, { readonly headers: Record<string, string>; read(): Promise<Buffer> }>
> = {
  'swagger-ui.css': {
    headers: { 'content-type': 'text/css; charset=utf-8' },
    read: () => readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
  },
  'swagger-ui-bundle.js': {
    headers: script,
    read: () => readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  },
  'favicon.png': {
    headers: { 'content-type': 'image/png' },
    read: () => readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/favicon-32x32.png'))),
  },
  'start.js': { headers: script, read: async () => Buffer.from(START_SCRIPT) },
}

/** Nothing is loaded from elsewhere and nothing runs that is not a file of ours (`docs/security-checks.md` S36). */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

/** Asked for again each time, and sent only when it changed. */
const CHANGING = { 'cache-control': 'no-cache' }
/** The page names an asset with the hash of its bytes, so what an address stands for never changes. */
const LASTING = { 'cache-control': 'public, max-age=31536000, immutable' }

interface File {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** Mounts `/v1/openapi.json`, and its readable form at `/docs`, which needs no internet. */
export function mountReference(
  server: FastifyInstance,
  { operations, ...about }: About & { readonly operations: readonly AnyOperation[] },
): void {
  const assets = new Map<string, () => Promise<File>>()
  for (const [name, { headers, read }] of Object.entries(ASSETS)) {
    const file = once(async () => fileOf(await read(), { ...headers, ...LASTING }))
    assets.set(name, file)
    mountFile(server, `/docs/${name}`, file)
  }
  const page = once(async () => fileOf(Buffer.from(await pageOver(assets)), { ...PAGE_HEADERS, ...CHANGING }))
  mountFile(server, '/docs', page)
  server.get('/docs/', async (_, reply) => respond(reply, 308, '', { location: '../docs' }))
  const document = once(async () => {
    const text = JSON.stringify(openApiDocument(operations, about))
    return fileOf(Buffer.from(text), { ...JSON_TYPE, ...CHANGING })
  })
  mountFile(server, `${BASE_PATH}/openapi.json`, document)
}

function mountFile(server: FastifyInstance, url: string, file: () => Promise<File>): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    respondFile(request, reply, await file())
  server.route({ method: ['GET', 'HEAD'], url, handler })
}

/** A 304 carries the headers of what it stands for, its length too; Node sends no body with it. */
function respondFile(request: FastifyRequest, reply: FastifyReply, { body, etag, headers }: File): void {
  const known =
    request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  respond(reply, known.includes(etag) ? 304 : 200, body, { ...headers, etag })
}

const fileOf = (body: Buffer, headers: File['headers']): File => ({
  body,
  etag: `"${hash('sha256', body, 'base64url')}"`,
  headers,
})

async function pageOver(assets: ReadonlyMap<string, () => Promise<File>>): Promise<string> {
  const address = async (name: string) => {
    const file = await assets.get(name)?.()
    return `docs/${name}?${file?.etag.slice(1, 12) ?? ''}`
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keywright reference</title>
<link rel="icon" href="${await address('favicon.png')}">
<link rel="stylesheet" href="${await address('swagger-ui.css')}">
</head>
<body>
<noscript>This page needs JavaScript; <a href="v1/openapi.json">openapi.json</a> is what it shows.</noscript>
<div id="reference"></div>
<script src="${await address('swagger-ui-bundle.js')}" defer></script>
<script src="${await address('start.js')}" type="module"></script>
</body>
</html>
`
}
