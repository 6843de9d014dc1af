import type { Static, TObject, TSchema } from 'typebox'
import type { Context, ReadContext, TxContext } from '../context.ts'
import type { EventType } from '../lib/event-types.ts'
import type { Problems } from './decode.ts'
import type { Scope, ScopeKind } from './scope.ts'

type NoProperties = TObject<Record<never, never>>

export interface Request<P extends TObject, Q extends TObject, B extends TObject> {
  readonly scope: Scope
  readonly params: Static<P>
  readonly query: Static<Q>
  readonly body: Static<B>
}

interface Described<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  /** `<group>/<name>` of the contract; ours begin with `keywright/`. */
  readonly id: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As the specification writes it, after the prefix of the scope. */
  readonly path: string
  /** Where it works; elsewhere the same path is refused with 401. */
  readonly scopes: readonly ScopeKind[]
  /** `public`: a public key alone may call it; `open`: nobody need say who they are (DECISIONS 1.10). */
  readonly access?: 'public' | 'open'
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly status: 200 | 201 | 204
  readonly response?: R
  /** Adds what a schema cannot say (one of two fields, a password's rules) to the problems of a request. */
  check?(ctx: ReadContext, request: Request<P, Q, B>, problems: Problems): Promise<void>
  /** The key of a list reply whose items `fields` picks from; absent: it picks from the reply itself. */
  readonly items?: string
}

/** Changes nothing. */
export interface ReadOperation<
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
> extends Described<P, Q, B, R> {
  readonly kind: 'read'
  handle(ctx: ReadContext & Pick<Context, 'database'>, request: Request<P, Q, B>): Promise<Static<R>>
}

/** Changes something: `handle` runs in the one transaction that also holds its audit row and stored reply. */
export interface WriteOperation<
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
  X,
> extends Described<P, Q, B, R> {
  readonly kind: 'write'
  /** The events it may record. */
  readonly emits: readonly EventType[]
  /** What must not be awaited in a transaction (a password hash); its result is handed to `handle`. */
  prepare?(ctx: ReadContext, request: Request<P, Q, B>): Promise<X>
  handle(ctx: TxContext, request: Request<P, Q, B>, prepared: X): Promise<Static<R>>
}

export const readOperation = <
  P extends TObject = NoProperties,
  Q extends TObject = NoProperties,
  B extends TObject = NoProperties,
  R extends TSchema = TSchema,
>(
  op: Omit<ReadOperation<P, Q, B, R>, 'kind'>,
): ReadOperation<P, Q, B, R> => ({ ...op, kind: 'read' })

export const writeOperation = <
  P extends TObject = NoProperties,
  Q extends TObject = NoProperties,
  B extends TObject = NoProperties,
  R extends TSchema = TSchema,
  X = undefined,
>(
  op: Omit<WriteOperation<P, Q, B, R, X>, 'kind'>,
): WriteOperation<P, Q, B, R, X> => ({ ...op, kind: 'write' })

type AnyDescribed = Omit<Described<TObject, TObject, TObject, TSchema>, 'check'> & {
  check?(ctx: never, request: never, problems: Problems): Promise<void>
}

/** An operation whose own types are forgotten, as the list of all of them holds it. */
export type AnyOperation = AnyDescribed &
  (
    | { readonly kind: 'read'; handle(ctx: never, request: never): Promise<unknown> }
    | {
        readonly kind: 'write'
        readonly emits: readonly EventType[]
        prepare?(ctx: never, request: never): Promise<unknown>
        handle(ctx: never, request: never, prepared: never): Promise<unknown>
      }
  )
