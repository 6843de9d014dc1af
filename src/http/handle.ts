import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { transaction } from '../context.ts'
import { unauthorized } from '../lib/errors.ts'
import { audit } from './audit.ts'
import { argumentsOf } from './body.ts'
import { decode, Problems } from './decode.ts'
import { fieldNames, pickFields } from './fields.ts'
import type { Frame } from './frame.ts'
import { claimIdempotency, keepReply, releaseIdempotency, type StoredReply } from './idempotency.ts'
import type { AnyOperation } from './operation.ts'
import { JSON_TYPE, respond } from './respond.ts'
import type { Scope } from './scope.ts'
import { bodyIsCovered } from './secret-key.ts'

const NOTHING = Type.Object({})

interface Decoded {
  readonly scope: Scope
  readonly params: object
  readonly query: { readonly fields?: string }
  readonly body: object
}

/** Serves one authenticated request of an operation. */
export async function handle(
  frame: Frame,
  op: AnyOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.scope) throw unauthorized()
  bodyIsCovered(request)
  const decoded = await decodeRequest(frame, op, request, request.scope)
  if (op.kind === 'read') {
    const result = await op.handle(frame.ctx as never, decoded as never)
    respond(reply, op.status, bodyOf(op, result, decoded), JSON_TYPE)
    return
  }
  const idempotent = await claimIdempotency(frame.ctx, request, request.scope)
  if (idempotent && 'replay' in idempotent) {
    const { status, body } = idempotent.replay
    respond(reply, status, body, { ...JSON_TYPE, 'idempotent-replayed': 'true' })
    return
  }
  try {
    const { status, body } = await write(frame, op, decoded, idempotent?.claim)
    respond(reply, status, body, JSON_TYPE)
  } catch (error) {
    if (idempotent) await releaseIdempotency(frame.ctx, idempotent.claim)
    throw error
  }
}

type Write = Extract<AnyOperation, { readonly kind: 'write' }>
type Claim = Parameters<typeof keepReply>[1]

/** The change, its audit row and its stored reply are one transaction. */
async function write(
  frame: Frame,
  op: Write,
  decoded: Decoded,
  claim: Claim | undefined,
): Promise<StoredReply> {
  const prepared = await op.prepare?.(frame.ctx as never, decoded as never)
  return transaction(frame.ctx, async (ctx) => {
    const result = await op.handle(ctx as never, decoded as never, prepared as never)
    const reply = { status: op.status, body: bodyOf(op, result, decoded) }
    const { scope, params, body } = decoded
    await audit(ctx, {
      action: op.id,
      actor: scope.actor,
      productId: scope.productId,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { params, fields: Object.keys(body), ...idOf(result) },
    })
    if (claim) await keepReply(ctx, claim, reply)
    return reply
  })
}

/** Path, query and body in their types; every problem of all three is reported at once. */
async function decodeRequest(
  frame: Frame,
  op: AnyOperation,
  request: FastifyRequest,
  scope: Scope,
): Promise<Decoded> {
  const problems = new Problems()
  const given = argumentsOf(request)
  request.arguments = given.object
  const part = (schema: TObject | undefined, input: unknown, source: 'json' | 'text') =>
    decode(schema ?? NOTHING, input as object, source, problems)
  const decoded = {
    scope,
    params: part(op.params, request.params, 'text'),
    query: part(op.query, request.query, 'text'),
    body: part(op.body, given.object, given.source),
  }
  if (op.check) await op.check(frame.ctx as never, decoded as never, problems)
  problems.refuse()
  return decoded
}

function bodyOf(op: AnyOperation, result: unknown, { query }: Decoded): string {
  if (op.status === 204) return ''
  const names = fieldNames(query.fields)
  return JSON.stringify(names ? pickFields(result, names, op.items) : result)
}

const idOf = (result: unknown): { id?: string } => {
  if (typeof result !== 'object' || result === null || !('id' in result)) return {}
  return typeof result.id === 'string' ? { id: result.id } : {}
}
