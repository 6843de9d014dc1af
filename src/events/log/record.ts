import type { TxContext } from '../../context.ts'
import { triggerOf, type Scope } from '../../access/scope.ts'
import { isEventType, type EventType, type SharedType } from '../../db/tables/event-types.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { insertEvents, type NewEvent } from './queries.ts'

interface About {
  readonly userId?: number
  readonly installId?: number
  readonly cartId?: number
  /** Where its data does not name it. */
  readonly licenseId?: number | null
  /** Ids as text, and the values before and after that matter (`docs/decisions.md` 6.2). */
  readonly data: Readonly<Record<string, unknown>> | null
}

/** What is about something of one environment says which. */
export type Happened = About &
  (
    | { readonly type: EventType; readonly environment: Environment }
    | { readonly type: SharedType; readonly environment?: undefined }
  )

/**
 * Writes an event in the transaction that makes it true: both are saved or neither is (`docs/decisions.md` 6.1). A
 * silent scope's events are not written.
 */
export const recordEvent = (ctx: TxContext, scope: Scope, happened: Happened): Promise<void> =>
  recordEvents(ctx, scope, [happened])

/** Writes a few events that happen at once, in their order. */
export async function recordEvents(
  ctx: TxContext,
  scope: Scope,
  happened: readonly Happened[],
): Promise<void> {
  if (scope.isSilent || happened.length === 0) return
  const rows = happened.map((one) => rowOf(ctx, scope, one))
  if (ctx.gathered) ctx.gathered.push(...rows)
  else await insertEvents(ctx.db, rows)
}

/** Does work whose events are written by one statement at its end. Nothing of it reads them or needs their ids. */
export async function gatherEvents<T>(ctx: TxContext, work: (tx: TxContext) => Promise<T>): Promise<T> {
  const gathered: NewEvent[] = []
  const result = await work({ ...ctx, gathered })
  if (gathered.length > 0) await insertEvents(ctx.db, gathered)
  return result
}

/** Writes an event as `recordEvent`, for what needs its id. */
export const recordFor = (ctx: TxContext, scope: Scope, happened: Happened): Promise<number> =>
  recordClientEvent(ctx, scope, happened)

/** Writes what a client calls an event; its id. That the name is none of ours is checked before. */
export async function recordClientEvent(ctx: TxContext, scope: Scope, happened: Named): Promise<number> {
  const [id] = await insertEvents(ctx.db, [rowOf(ctx, scope, happened)])
  if (id === undefined) throw new Error('An insert answers its id.')
  return id
}

type Named = About & { readonly type: string; readonly environment?: Environment | undefined }

function rowOf(ctx: TxContext, scope: Scope, happened: Named): NewEvent {
  const now = ctx.clock.now()
  return {
    developer_id: scope.developerId,
    product_id: scope.productId === 0 ? null : scope.productId,
    user_id: happened.userId ?? null,
    install_id: happened.installId ?? null,
    cart_id: happened.cartId ?? null,
    license_id: licenseOf(happened),
    on_clock: happened.environment === 1 ? toUtcTime(ctx.clock.of(scope.productId, 1)) : null,
    thing: thingOf(happened),
    environment: happened.environment ?? 0,
    type: happened.type,
    data: happened.data === null ? null : JSON.stringify(happened.data),
    event_trigger: triggerOf(scope),
    created: now,
    updated: null,
  }
}

/** What a client writes into an event of its own names no license. */
function licenseOf({ type, licenseId, data }: Named): number | null {
  if (licenseId !== undefined || !isEventType(type)) return licenseId ?? null
  const named = data?.['license_id']
  return typeof named === 'string' ? Number(named) : null
}

/** `coupon:5`; null when it is somebody's, or its data does not name what it is about. */
function thingOf({ type, userId, installId, cartId, data }: Named): string | null {
  if ((userId ?? installId ?? cartId) !== undefined) return null
  const entity = type.split('.', 1)[0] ?? ''
  const id = data?.[`${THING_NAMES[entity] ?? entity}_id`]
  return typeof id === 'string' ? `${entity}:${id}` : null
}

/** Entities whose events name them otherwise. */
const THING_NAMES: Readonly<Record<string, string>> = { plugin: 'tag' }
