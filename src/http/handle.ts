import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from '../lib/type.ts'
import { transaction, type TxContext } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { hashToken } from '../lib/credentials.ts'
import { type ApiError, Refused, unauthorized } from '../lib/errors.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import { Answer, Download } from './answer.ts'
import { audit, type Audited } from '../access/audit.ts'
import { asRecorded, recordFailure } from './authenticate.ts'
import type { Counted } from '../access/counted-callers.ts'
import { argumentsOf } from './body.ts'
import { isKnown, validatorsOf } from './conditional.ts'
import { shownTo, withoutHidden } from '../access/data-classes.ts'
import { decode, Problems } from './decode.ts'
import { respondError } from './errors.ts'
import { fieldNames, pickFields } from './fields.ts'
import type { Frame } from './frame.ts'
import { isHead, readingContext } from './head.ts'
import {
  claimIdempotency,
  keepReply,
  leadingTo,
  releaseIdempotency,
  type StoredReply,
} from './idempotency.ts'
import type { BodyArguments, Files, ReceivedFiles } from './body-arguments.ts'
import { givesKey, limitLookup } from './key-lookups.ts'
import { limitCaller } from './limit-callers.ts'
import type { AnyOperation, State } from './operation.ts'
import { heldInPortal, inPortal, isOfPortal } from './portal-parts.ts'
import { refuseCards } from './refuse-cards.ts'
import { JSON_TYPE, respond } from './respond.ts'
import { isStranger, type Scope } from '../access/scope.ts'
import { bodyIsCovered } from './secret-key.ts'
import { sendFile, StoredDownload } from './send-file.ts'
import { ignoredHeader, refusedNames, unknownNames, unknownProblems } from './unknown-arguments.ts'
import { discardReceived } from './uploads.ts'
import { secretNamesOf } from './wire.ts'

/** What an operation takes none of. */
const NOTHING: object = Object.freeze({})

interface Decoded {
  readonly scope: Scope
  readonly params: object
  readonly query: { readonly fields?: string }
  readonly body: object
  readonly files: Files
  readonly received: ReceivedFiles
}

/** Serves one authenticated request of an operation. */
export function handle(
  frame: Frame,
  op: AnyOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Soon<void> {
  if (!request.scope) throw unauthorized()
  if (!bodyIsCovered(request)) {
    const refusal = unauthorized('content_md5_mismatch', 'Content-MD5 must be the MD5 of the body, in hex.')
    recordFailure(frame, request, refusal)
    throw refusal
  }
  const { scope } = request
  const within = isHead(request) ? { ...frame, ctx: readingContext(request, frame.ctx) } : frame
  const served = goOn(argumentsOf(request, op), (given) => serve(within, op, { reply, scope, given }))
  return served instanceof Promise && request.parts ? served.finally(() => discardReceived(request)) : served
}

interface Served {
  readonly reply: FastifyReply
  readonly scope: Scope
  readonly given: BodyArguments
}

function serve(frame: Frame, op: AnyOperation, { reply, scope, given }: Served): Soon<void> {
  const problems = new Problems()
  const decoded = decodeRequest(op, scope, { request: reply.request, body: given, problems })
  return goOn(op.check?.(frame.ctx as never, decoded as never, problems), () => {
    problems.refuse()
    return limited(frame, op, reply, decoded)
  })
}

function limited(frame: Frame, op: AnyOperation, reply: FastifyReply, decoded: Decoded): Soon<void> {
  const does = (asked: Decoded) =>
    op.kind === 'read' ? read(frame, op, reply, asked) : change(frame, op, reply, asked)
  const work = () =>
    isOfPortal(decoded.scope) ? goOn(inPortal(frame.ctx, op, decoded), does) : does(decoded)
  return goOn(limitCaller(frame, op, reply.request, decoded), () => limitLookup(frame, op, decoded, work))
}

async function change(frame: Frame, op: Write, reply: FastifyReply, decoded: Decoded): Promise<void> {
  const { request } = reply
  const idempotent = isHead(request) ? null : await claimIdempotency(frame.ctx, request, decoded)
  if (idempotent && 'replay' in idempotent) {
    const { status, body, location } = idempotent.replay
    const headers = { ...JSON_TYPE, 'idempotent-replayed': 'true' }
    respond(reply, status, body, location === undefined ? headers : { ...headers, location })
    return
  }
  try {
    const written = await write(frame, op, decoded, idempotent?.claim)
    if (written.counted) frame.authentications.stranger(decoded.scope, written.counted)
    if ('refusal' in written) throw asRecorded(written.refusal)
    respond(reply, written.status, written.body, { ...JSON_TYPE, ...written.headers })
  } catch (error) {
    if (idempotent) await releaseIdempotency(frame.ctx, idempotent.claim)
    throw error
  }
}

type Read = Extract<AnyOperation, { readonly kind: 'read' }>
type Write = Extract<AnyOperation, { readonly kind: 'write' }>
type Claim = Parameters<typeof keepReply>[1]

/** The state is named before it is read, so that a change in between is answered under the older name. */
function read(frame: Frame, op: Read, reply: FastifyReply, decoded: Decoded): Soon<void> {
  return goOn(op.state?.(frame.ctx as never, decoded as never), (state) => {
    if (!(state instanceof Refused)) return readAt(state, frame, op, { reply, decoded })
    // A look-up that finds nothing is counted where it is thrown.
    if (op.keyOf || givesKey(decoded)) throw state.error
    return respondError(reply, reply.request, state.error, frame.ctx.clock.real())
  })
}

interface Reading {
  readonly reply: FastifyReply
  readonly decoded: Decoded
}

function readAt(
  state: State<unknown> | undefined,
  frame: Frame,
  op: Read,
  { reply, decoded }: Reading,
): Soon<void> {
  const validators = state ? validatorsOf(state.tag) : {}
  if (state && isKnown(reply.request.headers['if-none-match'], state.tag)) {
    respond(reply, 304, '', validators)
    return
  }
  return goOn(op.handle(frame.ctx as never, decoded as never, state?.known as never), (result) => {
    if (result instanceof StoredDownload) return sendFile(reply, result)
    if (result instanceof Download) return respond(reply, op.status, result.bytes, result.headers)
    const headers = state ? { ...JSON_TYPE, ...validators } : JSON_TYPE
    respond(reply, op.status, bodyOf(op, result, decoded), headers)
  })
}

/** `counted` is told to the audit log with others like it, once the transaction has ended. */
type Written = { readonly counted: Counted | null } & (
  (StoredReply & { readonly headers: Readonly<Record<string, string>> }) | { readonly refusal: ApiError }
)

/** The change, its audit row and its stored reply are one transaction. */
async function write(frame: Frame, op: Write, decoded: Decoded, claim: Claim | undefined): Promise<Written> {
  const prepared = await op.prepare?.(frame.ctx as never, decoded as never, frame.limits as never)
  const work = async (ctx: TxContext): Promise<Written> => {
    const asked = isOfPortal(decoded.scope) ? await heldInPortal(ctx, op, decoded) : decoded
    const outcome = await op.handle(ctx as never, asked as never, prepared as never)
    const refusal = outcome instanceof Refused ? outcome.error : null
    const { body: result, headers } = outcome instanceof Answer ? outcome : { body: outcome, headers: {} }
    const { counted, entry } = auditedOf(op, decoded, outcome, result)
    if (entry) await audit(ctx, entry)
    if (refusal) return { refusal, counted }
    const status = op.orNothing && result === undefined ? 204 : op.status
    const location = op.orElsewhere && headers['location']
    const reply = location ? leadingTo(location) : { status, body: bodyOf(op, result, asked) }
    if (claim) await keepReply(ctx, claim, reply)
    return { ...reply, headers, counted }
  }
  try {
    return await transaction(frame.ctx, work)
  } catch (error) {
    if (error instanceof DatabaseBusy) op.letGo?.(frame.ctx as never, prepared as never)
    throw error
  }
}

interface Recorded {
  readonly counted: Counted | null
  readonly entry: Audited | null
}

/** A row of its own, except for what anybody may do as often as the limits let him. */
function auditedOf(op: Write, { scope, params, body }: Decoded, outcome: unknown, result: unknown): Recorded {
  const refused = outcome instanceof Refused ? outcome : null
  if (refused?.counted) return { counted: refused.counted, entry: null }
  const details = { params: withoutSecrets(op, params), fields: Object.keys(body) }
  const refusal = refused && { refused: refused.error.code }
  if (op.isAnybodys && isStranger(scope)) {
    return { counted: { action: op.id, details: { ...details, ...refusal } }, entry: null }
  }
  const { actor, developerId, productId, ip, requestId } = scope
  const all = { ...details, ...(refusal ?? idOf(result)) }
  return {
    counted: null,
    entry: { action: op.id, actor, developerId, productId, ip, requestId, details: all },
  }
}

interface Input {
  readonly request: FastifyRequest
  readonly body: BodyArguments
  readonly problems: Problems
}

/** Path, query and body in their types; every problem of all three is reported at once. */
function decodeRequest(op: AnyOperation, scope: Scope, { request, body, problems }: Input): Decoded {
  const given = withQuery(op, request, body)
  request.arguments = given.object
  if (op.refusesCards) refuseCards(given.object)
  noteUnknown(op, scope, { request, body: given, problems })
  const part = (schema: TObject | undefined, input: unknown, source: 'json' | 'text') =>
    schema ? decode(schema, input as object, source, problems) : NOTHING
  return {
    scope,
    params: part(op.params, request.params, 'text'),
    query: part(op.query, withFields(op, request.query, given.object), 'text'),
    body: part(op.body, given.object, given.source),
    files: given.files,
    received: given.received,
  }
}

/** Refused where a caller would rather know, and else told by a header. */
function noteUnknown(op: AnyOperation, scope: Scope, { request, body, problems }: Input): void {
  const unknown = unknownNames(op, { query: request.query, body: body.object })
  if (!unknown) return
  const refused = refusedNames(op, unknown, request, scope)
  if (refused.length > 0) problems.unknown.push(...unknownProblems(op, refused))
  else request.ignored = ignoredHeader(unknown)
}

/** A client may say in its body which fields it wants; a query wins (`docs/interface.md` 1.10). */
function withFields({ query: schema }: AnyOperation, query: unknown, body: object): object {
  const given = query as object
  if (schema?.properties['fields'] === undefined || 'fields' in given || !('fields' in body)) return given
  return typeof body.fields === 'string' ? { ...given, fields: body.fields } : given
}

/** The body wins; what stands in a query is text. */
function withQuery(
  { takesQuery }: AnyOperation,
  { query }: FastifyRequest,
  given: BodyArguments,
): BodyArguments {
  if (!takesQuery || Object.keys(query as object).length === 0) return given
  return { ...given, object: { ...(query as object), ...given.object }, source: 'text' }
}

function bodyOf(op: AnyOperation, result: unknown, { query, scope }: Decoded): string {
  if (op.status === 204 || result === undefined) return ''
  const hides = scope.portalOff?.has('keys') && !isArchive(op) ? LICENSE_KEYS : []
  const shown = shownTo(scope, withoutHidden(result, hides), op.credentials)
  const names = fieldNames(query.fields)
  return JSON.stringify(names ? pickFields(shown, names, op.items) : shown)
}

const LICENSE_KEYS = ['license keys'] as const

/** What is stored of a person has their keys, whether the portal shows them or not. */
const isArchive = ({ portal }: AnyOperation): boolean => Array.isArray(portal) && portal.includes('export')

/** Ids of rows are numbers; what else names something may open it too, and is kept as its hash. */
const idOf = (result: unknown): { id?: string } => {
  if (typeof result !== 'object' || result === null || !('id' in result)) return {}
  const { id } = result
  return typeof id === 'string' ? { id: /^\d{1,19}$/.test(id) ? id : hashed(id) } : {}
}

const hashed = (token: string) => `sha256:${hashToken(token)}`

function withoutSecrets({ params: schema }: AnyOperation, params: object): object {
  const secret = secretNamesOf(schema)
  if (secret.length === 0) return params
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    secret.includes(name) ? hashed(String(value)) : value,
  ])
  return Object.fromEntries(shown) as object
}
