import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Answer } from './answer.ts'
import { authenticate, provenAgain } from './authenticate.ts'
import { argumentsOf } from './body.ts'
import { refuseOtherSite } from './csrf.ts'
import type { Frame } from './frame.ts'
import { readingContext } from './head.ts'
import { limitDownload } from './limit-callers.ts'
import { pathOf } from './log.ts'
import { BASE_PATH, pathsOf, routeOf } from './mounts.ts'
import type {
  FileOperation,
  OtherOperation,
  PageOperation,
  StreamOperation,
  Visit,
  Wanted,
  WebOperation,
  WebReply,
} from './other-replies.ts'
import { followLink, respondPage, type Page } from './page.ts'
import { JSON_TYPE, respond } from './respond.ts'
import { sendFile } from './send-file.ts'

/** Mounts an operation whose reply is none of the interface. */
export function mountOther(server: FastifyInstance, frame: Frame, op: OtherOperation): void {
  switch (op.reply) {
    case 'page':
      return mountPage(server, frame, op)
    case 'file':
      return mountFile(server, frame, op)
    case 'stream':
      return mountStream(server, frame, op)
    case 'foreign':
      for (const path of op.paths)
        mount(server, op, { method: op.method, path }, (request, reply) => op.handle(frame, request, reply))
      return
    case 'web':
      for (const path of op.paths)
        mount(server, op, { method: 'GET', path }, (request, reply) => respondWeb(frame, op, request, reply))
      return
    default:
      op satisfies never
  }
}

interface Place {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

function mount(
  server: FastifyInstance,
  { id }: OtherOperation,
  { method, path }: Place,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void,
): void {
  const onRequest = (request: FastifyRequest, _: FastifyReply, done: () => void) => {
    request.operationId = id
    done()
  }
  server.route({ method, url: routeOf(path), onRequest, handler })
}

function mountPage(server: FastifyInstance, { ctx, limits }: Frame, op: PageOperation): void {
  const { path, whyGone: why } = op
  const follow = (request: FastifyRequest, reply: FastifyReply, work: (visit: Visit) => Promise<void>) => {
    const visit = visitOf(request)
    const gone = () => ({ why, another: op.another?.(ctx, visit) ?? null })
    return followLink(reply, gone, () => work(visit))
  }
  mount(server, op, { method: 'GET', path }, (request, reply) =>
    follow(request, reply, async (visit) => respondPage(reply, await op.show(ctx, visit))),
  )
  mount(server, op, { method: 'POST', path }, (request, reply) =>
    follow(request, reply, async (visit) => {
      if (op.isLogin) refuseOtherSite(request)
      respondShown(reply, await op.act(ctx, visit, limits))
    }),
  )
}

function visitOf(request: FastifyRequest): Visit {
  const { params, query, ip, id: requestId, headers } = request
  const { token = (query as { readonly token?: unknown }).token } = params as { readonly token?: unknown }
  return {
    token: typeof token === 'string' ? token : '',
    ip,
    requestId,
    isFramed: headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'cross-site',
    isBrowser: headers.accept?.includes('text/html') === true,
    form: async () => (await argumentsOf(request, {})).object,
  }
}

function respondShown(reply: FastifyReply, shown: Page | Answer<object>): void {
  if (!(shown instanceof Answer)) return respondPage(reply, shown)
  const { body, headers } = shown
  if (headers['location'] === undefined)
    respond(reply, 200, JSON.stringify(body), { ...JSON_TYPE, ...headers })
  else respond(reply, 303, '', headers)
}

function mountFile(server: FastifyInstance, frame: Frame, op: FileOperation): void {
  mount(server, op, { method: 'GET', path: op.path }, async (request, reply) => {
    const { params, query, ip } = request
    const file = await op.handle(readingContext(request, frame.ctx), { params, query } as Wanted)
    if (file instanceof Answer) return respond(reply, 200, file.body, file.headers)
    await limitDownload(frame, request, { ip, ...file.of })
    await sendFile(reply, file)
  })
}

/** Answers a browser with a page, or a file of one. */
export function respondWeb(
  { ctx }: Frame,
  { handle }: Pick<WebOperation, 'handle'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | void {
  const { params, query } = request as unknown as Wanted
  const { url, headers } = request
  const send = ({ status, body, headers: sent, isSoon = false }: WebReply) => {
    request.isSoon = isSoon
    respond(reply, status, body, sent)
  }
  const answer = handle(ctx, { params, query, url, path: pathOf(url), headers })
  return answer instanceof Promise ? answer.then(send) : send(answer)
}

function mountStream(server: FastifyInstance, frame: Frame, op: StreamOperation): void {
  const read = op.open(frame)
  for (const kind of op.scopes) {
    for (const path of pathsOf(op, kind)) {
      server.route({
        method: 'GET',
        url: routeOf(BASE_PATH + path),
        onRequest: async (request) => {
          request.operationId = op.id
          request.scope = await authenticate(frame, request, op, kind)
        },
        handler: async (request, reply) => {
          const { scope } = request
          if (scope) await read({ scope, prove: () => provenAgain(frame, request, op, kind) }, reply)
        },
      })
    }
  }
}
