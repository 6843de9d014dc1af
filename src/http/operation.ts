import type { Static, TObject, TSchema } from '../lib/type.ts'
import type { Context, ReadContext, TxContext } from '../context.ts'
import type { RefusalCode, Refused } from '../lib/errors.ts'
import type { EventType } from '../db/tables/event-types.ts'
import type { RefusedOccasion } from '../db/tables/refusals.ts'
import type { Soon } from '../lib/soon.ts'
import type { Answer } from './answer.ts'
import type { Problems } from './decode.ts'
import type { Files, ReceivedFiles } from './body-arguments.ts'
import type { Limits } from './limits.ts'
import type { PortalPart } from '../access/portal-parts.ts'
import type { Access, WriteAccess } from '../access/roles.ts'
import type { Scope, ScopeKind } from '../access/scope.ts'

type NoProperties = TObject<Record<never, never>>

export interface Request<P extends TObject, Q extends TObject, B extends TObject> {
  readonly scope: Scope
  readonly params: Static<P>
  readonly query: Static<Q>
  readonly body: Static<B>
  /** The files of a multipart body, by the name of their part. */
  readonly files: Files
  /** Those of its files that went into the storage. */
  readonly received: ReceivedFiles
}

export interface FileLimit {
  readonly maxBytes: number
  readonly goesToStorage?: true
  /** A request without it may be whole. */
  readonly isOptional?: true
}

interface Described<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  /** `<group>/<name>` of the contract; ours begin with `keywright/`. */
  readonly id: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As OpenAPI writes it, after the prefix of the scope. */
  readonly path: string
  /** Where it works; elsewhere the same path is refused with 401. */
  readonly scopes: readonly ScopeKind[]
  /**
   * How its caller must be known, where not by any key or token of the scope: `public`: a public key is enough; `open`:
   * nobody need say who they are; `session`: only who is logged in; `portal`: only a user who is in the portal, by its
   * cookie; `signature`: only who signs with secret keys (`docs/decisions.md` 1.10); `token`: only a token of a product
   * or an account, whichever that is.
   */
  readonly caller?: 'public' | 'open' | 'session' | 'portal' | 'signature' | 'token'
  /** Clients of the interface call it with tokens too, though the contract does not name it: what they add is ignored. */
  readonly isOfClients?: true
  /** An open operation that looks at no signature and no access token: clients sign it with a clock that is off. */
  readonly ignoresSignatures?: true
  /**
   * Browsers call it from pages of any origin, without cookies; where a public key is enough, that key in the query is
   * too.
   */
  readonly isForPages?: true
  /** Logs a browser in, and so is refused when it comes from a page of another site. */
  readonly isLogin?: true
  /**
   * Whether a token that is narrowed to some products of its account may call it. Absent: in one of these it may, of the
   * account it may not.
   */
  readonly isForNarrowed?: boolean
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** What the objects in an argument of the body take, where its schema leaves it open. */
  readonly inside?: Readonly<Record<string, TSchema>>
  /** The arguments of the body may stand in the query too (`docs/decisions.md` 1.1). */
  readonly takesQuery?: true
  /**
   * The secret text by which something is looked up without a token. Who guesses is limited by address, who knows
   * it by the text (`docs/decisions.md` 7.1); 404 is a guess.
   */
  keyOf?(request: Request<P, Q, B>): string | null
  /** Opens, changes or pays a checkout, which an address does so often. */
  readonly isCheckout?: true
  /** The product that a call without a product in its path is about; null: none. */
  productOf?(request: Request<P, Q, B>, ctx: ReadContext): Soon<number | null>
  /**
   * Leaves rows behind and asks for nothing that anybody could not have: a caller that proves nothing is limited by
   * address and product, and counted in the audit log together with others like it.
   */
  readonly isAnybodys?: true
  /** As how many a request counts against what its caller may do: the sites that it names, or so; absent: one. */
  weightOf?(request: Request<P, Q, B>, ctx: ReadContext): Soon<number>
  /**
   * How many license keys of a request name nothing where that is no 404. Of who is no seller each counts as a failed
   * look-up, before anything is answered.
   */
  missesOf?(request: Request<P, Q, B>, ctx: ReadContext): Promise<number>
  /** What a user does by it in the portal, which a product can have switched off there. */
  readonly portal?: readonly PortalPart[] | ((request: Request<P, Q, B>) => readonly PortalPart[])
  /** What it refuses is kept for the seller, behind the answer (`RefusalLog`). */
  readonly keepsRefusals?: RefusedOccasion
  /** Refuses a card number in any of its arguments, where somebody may take it for a form of payment. */
  readonly refusesCards?: true
  /**
   * Takes multipart bodies too: the names of the parts that are files, with how many bytes each may have. A file that
   * `goesToStorage` is written there as it comes and removed when its request is answered, unless it was kept.
   */
  readonly files?: Readonly<Record<string, FileLimit>>
  /** The argument that a body is taken as which is a JSON array. */
  readonly list?: string
  /** 202: a job does the rest. */
  readonly status: 200 | 201 | 202 | 204
  /** Answers nothing instead, with 204, when its handler does (`nothing`). */
  readonly orNothing?: true
  /** Leads to another address instead, with 303, when its handler does (`elsewhere`). */
  readonly orElsewhere?: true
  readonly response?: R
  /** Its media type, when the reply is no JSON: the handler answers a `Download` or `StoredDownload`. */
  readonly produces?: 'application/pdf' | 'application/zip'
  /** The codes it may answer beside those that follow from what it is (`refusals.ts`); absent: none. */
  readonly refuses?: readonly RefusalCode[]
  /** Adds what a schema cannot say (one of two fields, a password's rules) to the problems of a request. */
  check?(ctx: ReadContext, request: Request<P, Q, B>, problems: Problems): Promise<void>
  /** Fields of the reply that let their holder act as somebody else; a limited role is not answered them. */
  readonly credentials?: readonly string[]
  /** The key of a list reply whose items `fields` picks from; absent: it picks from the reply itself. */
  readonly items?: string
}

/** How what would be answered stands at the moment. */
export interface State<X> {
  /** Another one whenever the answer is another one: letters, digits, dots and hyphens. */
  readonly tag: string
  /** What was read, for `handle`. */
  readonly known: X
}

/** A refusal that most callers get is returned: to throw it through all who wait for it costs as much as to find it. */
export type StateOf<X> = Soon<State<X> | Refused>

/** That of a read: it may count who is offered and sent something, in short transactions of its own. */
export type CountingContext = ReadContext & Pick<Context, 'database' | 'nudge' | 'gateways'>

/** Changes nothing that its caller asks for. */
export interface ReadOperation<
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
  X,
> extends Described<P, Q, B, R> {
  readonly kind: 'read'
  /** What a role needs that calls it, all of it; to write, where the answer lets its holder write. */
  readonly access: Access | readonly Access[] | 'everybody'
  /** Read first, in far less work than the answer takes: a caller that has this state already gets 304. */
  state?(ctx: CountingContext, request: Request<P, Q, B>): StateOf<X>
  /** Of a list: how many rows it has, counted no further than its `count`. */
  total?(ctx: CountingContext, request: Request<P, Q, B>): Promise<number>
  handle(ctx: CountingContext, request: Request<P, Q, B>, known: X): Soon<Static<R>>
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
  /** What a role needs that calls it: all of it, where it writes what several groups are about. */
  readonly access: WriteAccess | readonly WriteAccess[] | 'everybody'
  /** The events it may record. */
  readonly emits: readonly EventType[]
  /**
   * What must not be awaited in a transaction (a password hash, a gateway); its result is handed to `handle`. What is
   * guessed by it counts against `limits`.
   */
  prepare?(ctx: Context, request: Request<P, Q, B>, limits: Limits): Promise<X>
  handle(ctx: TxContext, request: Request<P, Q, B>, prepared: X): Promise<Outcome<Static<R>>>
  /** Lets go of what `prepare` took in hand, where nothing of `handle` could be stored. */
  letGo?(ctx: Context, prepared: X): void
}

/** The body of the reply, also with headers; or a refusal that keeps what was written. */
type Outcome<T> = T | Answer<T> | Refused

export const readOperation = <
  P extends TObject = NoProperties,
  Q extends TObject = NoProperties,
  B extends TObject = NoProperties,
  R extends TSchema = TSchema,
  X = undefined,
>(
  op: Omit<ReadOperation<P, Q, B, R, X>, 'kind'>,
): ReadOperation<P, Q, B, R, X> => ({ ...op, kind: 'read' })

export const writeOperation = <
  P extends TObject = NoProperties,
  Q extends TObject = NoProperties,
  B extends TObject = NoProperties,
  R extends TSchema = TSchema,
  X = undefined,
>(
  op: Omit<WriteOperation<P, Q, B, R, X>, 'kind'>,
): WriteOperation<P, Q, B, R, X> => ({ ...op, kind: 'write' })

type AnyDescribed = Omit<
  Described<TObject, TObject, TObject, TSchema>,
  'check' | 'keyOf' | 'productOf' | 'weightOf' | 'missesOf' | 'portal'
> & {
  readonly portal?: readonly PortalPart[] | ((request: never) => readonly PortalPart[])
  keyOf?(request: never): string | null
  productOf?(request: never, ctx: never): Soon<number | null>
  weightOf?(request: never, ctx: never): Soon<number>
  missesOf?(request: never, ctx: never): Promise<number>
  check?(ctx: never, request: never, problems: Problems): Promise<void>
}

/** An operation whose own types are forgotten, as the list of all of them holds it. */
export type AnyOperation = AnyDescribed &
  (
    | {
        readonly kind: 'read'
        readonly access: Access | readonly Access[] | 'everybody'
        state?(ctx: never, request: never): StateOf<unknown>
        total?(ctx: never, request: never): Promise<number>
        handle(ctx: never, request: never, known: never): Soon<unknown>
      }
    | {
        readonly kind: 'write'
        readonly access: WriteAccess | readonly WriteAccess[] | 'everybody'
        readonly emits: readonly EventType[]
        prepare?(ctx: never, request: never, limits: never): Promise<unknown>
        handle(ctx: never, request: never, prepared: never): Promise<unknown>
        letGo?(ctx: never, prepared: never): void
      }
  )
