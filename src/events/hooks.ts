import type { Scope } from '../access/scope.ts'
import type { ReadContext } from '../context.ts'

/** The kinds of what an event is about, in the order in which its `objects` has them. */
export const EVENT_KINDS = ['user', 'install', 'license', 'payment', 'subscription', 'card', 'cart'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Entities as they are now, by their ids; those that are gone are left out. */
export type EntityLookup = (ids: readonly number[]) => Promise<ReadonlyMap<number, object>>

/**
 * How the entities are found that events are about, as a caller may see them: the modules of the entities stand above the
 * log. `src/hooks.ts` says who does it.
 */
export type EntitiesOfEvents = (ctx: ReadContext, scope: Scope) => Readonly<Record<EventKind, EntityLookup>>
