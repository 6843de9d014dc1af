import type { FastifyInstance } from 'fastify'
import type { Refusal, RefusalCode } from '../lib/errors.ts'
import { ERRORS_PATH } from './errors.ts'
import type { AnyOperation } from './operation.ts'
import { respondPage } from './page.ts'
import { HTTP_REFUSALS, isCommon, refusalsOf } from './refusals.ts'

interface Documented {
  readonly operations: readonly AnyOperation[]
  readonly refusals: Readonly<Record<RefusalCode, Refusal>>
}

/** Kept, as a code means the same until the server is another one. */
const KEPT = { 'cache-control': 'public, max-age=3600' }

/** Mounts a page for each code that can be answered, as `error.documentation_url` names it, and the list of them. */
export function mountErrorPages(server: FastifyInstance, { operations, refusals }: Documented): void {
  const codes = (Object.keys(refusals) as RefusalCode[]).toSorted()
  server.get(ERRORS_PATH, async (_, reply) =>
    respondPage(reply, {
      title: 'Errors',
      text: 'A program decides by error.code. Each code has a page, which says when it is answered and what to do.',
      entries: codes.map((code) => ({ to: `errors/${code}`, text: code, says: toldOf(refusals[code]) })),
      links: [{ to: '../docs', text: 'The reference of the interface' }],
      headers: KEPT,
    }),
  )
  server.get<{ Params: { readonly code: string } }>(`${ERRORS_PATH}/:code`, async ({ params }, reply) => {
    const code = codes.find((one) => one === params.code)
    const links = [{ to: '../errors', text: 'All codes' }]
    if (code === undefined) {
      respondPage(reply, { status: 404, title: 'No such code', text: 'No operation answers it.', links })
      return
    }
    const { status, says, help } = refusals[code]
    respondPage(reply, {
      title: code,
      text: says,
      facts: [
        ['What to do', help],
        ['Status', String(status)],
        ['Answered by', answeredBy(code, { operations, refusals })],
      ],
      links: [...links, { to: '../../docs', text: 'The reference of the interface' }],
      headers: KEPT,
    })
  })
}

const toldOf = ({ status, says }: Refusal) => `${status}: ${says}`

/** Who answers a code: what operations are, or which ones they are, each as `written`. */
export function answeredBy(
  code: RefusalCode,
  { operations, refusals }: Documented,
  written = (id: string) => id,
): string {
  const kind = isCommon(code) ? HTTP_REFUSALS[code].by : undefined
  if (kind !== undefined) return kind
  const ids = operations.filter((op) => refusalsOf(op).includes(code)).map(({ id }) => id)
  return ids.length > 0 ? ids.toSorted().map(written).join(', ') : (refusals[code].elsewhere ?? '')
}
