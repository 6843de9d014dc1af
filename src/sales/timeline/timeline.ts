import { holds } from '../../access/rights.ts'
import type { Access } from '../../access/roles.ts'
import type { Scope } from '../../access/scope.ts'
import type { ReadContext } from '../../context.ts'
import { concernedBy } from '../../events/log/read-events.ts'
import type { Problems } from '../../http/decode.ts'
import { fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { mergePage, parsePosition, positionText, type Placed } from './position.ts'
import { auditIn, eventsIn, mailsIn, namesOf, noteIn, refusalsIn, type Part } from './queries.ts'
import {
  ABOUT_KINDS,
  TIMELINE_KINDS,
  type AboutKind,
  type Timeline,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
} from './schema.ts'

/** What a role needs to be told each kind. */
const NEEDS: Readonly<Record<TimelineKind, Access>> = {
  mail: 'customers.read',
  event: 'events.read',
  note: 'notes.read',
  audit: 'members.read',
  refusal: 'licenses.read',
}

type Told = Omit<TimelineEntry, 'id' | 'kind' | 'created' | 'on_clock'>
type Entry = Placed & { readonly told: Told }

const NOTHING = {
  actor: null,
  about: null,
  environment: null,
  state: null,
  text: null,
  count: null,
  request_id: null,
  data: null,
} as const satisfies Partial<Told>

/** `before` is what `next` of a page said. */
export async function checkPosition({ before }: TimelineQuery, problems: Problems): Promise<void> {
  if (before !== undefined && parsePosition(before) === null) {
    problems.malformed.push({ field: 'before', message: 'must be what `next` of the page before says' })
  }
}

/**
 * All that has to do with a user or a license of the product, which the caller has found, newest first: what happened,
 * was mailed, refused, noted and done by whom; of one environment, with what is of neither, or of both. A role is told what it may read. Each kind is read by an index of its
 * own, no more than a page of it, and all are merged.
 */
export async function readTimeline(
  ctx: ReadContext,
  scope: Scope,
  of: Pick<Part, 'of' | 'id'>,
  { count, before, environment }: TimelineQuery,
): Promise<Timeline> {
  const from = (before === undefined ? null : parsePosition(before)) ?? {}
  const kinds = TIMELINE_KINDS.filter((kind) => holds(scope.actor, NEEDS[kind]))
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const part = { ...of, before: from[kind], count: count + 1, environment }
      return [kind, await READ[kind](ctx, scope, part)] as const
    }),
  )
  const { page, next } = mergePage<Entry>(Object.fromEntries(lists), { count, from })
  const people = page.flatMap(({ told: { actor } }) =>
    actor?.kind === 'developer' && actor.id !== null ? [Number(actor.id)] : [],
  )
  const names = await namesOf(ctx.db, people)
  return { entries: page.map((entry) => present(entry, names)), next: next && positionText(next) }
}

function present({ kind, id, at, onClock, told }: Entry, names: ReadonlyMap<number, string>): TimelineEntry {
  const { actor } = told
  const name = actor?.kind === 'developer' ? (names.get(Number(actor.id)) ?? null) : null
  return {
    id: `${kind}:${id}`,
    kind,
    created: toUtcTime(at),
    on_clock: onClock,
    ...told,
    actor: actor && { ...actor, name },
  }
}

type Read = (ctx: ReadContext, scope: Scope, part: Part) => Promise<Entry[]>

const READ: Readonly<Record<TimelineKind, Read>> = {
  async event({ db }, scope, part) {
    const rows = await eventsIn(db, scope, part).execute()
    return rows.map((row) => ({
      kind: 'event',
      id: row.id,
      at: fromUtcTime(row.created),
      onClock: row.on_clock,
      told: {
        ...NOTHING,
        type: row.type,
        actor: { kind: row.event_trigger, id: null, name: null },
        about: aboutOf(concernedBy(row)),
        environment: row.environment,
        state: row.state,
        data: row.data === null ? null : (JSON.parse(row.data) as unknown),
      },
    }))
  },
  async mail({ db }, scope, part) {
    const rows = await mailsIn(db, scope, part).execute()
    return rows.map(
      ({
        id,
        created_at: at,
        on_clock: onClock,
        kind,
        state,
        environment,
        last_error: text,
        user_id: user,
      }) => ({
        kind: 'mail',
        id,
        at,
        onClock,
        told: { ...NOTHING, type: kind, about: aboutOf({ user }), environment, state, text },
      }),
    )
  },
  async note({ db }, scope, part) {
    const rows = await noteIn(db, scope, part).execute()
    return rows.map(({ id, note, created, updated }) => ({
      kind: 'note',
      id,
      at: fromUtcTime(updated ?? created),
      onClock: null,
      told: { ...NOTHING, type: 'note', text: note },
    }))
  },
  async audit({ db }, scope, part) {
    const rows = await auditIn(db, scope, part).execute()
    return rows.map((row) => {
      const details = JSON.parse(row.details) as Readonly<Record<string, unknown>>
      return {
        kind: 'audit',
        id: row.id,
        at: row.at,
        onClock: null,
        told: {
          ...NOTHING,
          type: row.action,
          actor: { kind: row.actor_kind, id: String(row.actor_id), name: null },
          about: aboutOf(idsIn({ ...details, ...(details['params'] as object | undefined) })),
          environment: row.environment,
          request_id: row.request_id,
          data: details,
        },
      }
    })
  },
  async refusal({ db }, scope, part) {
    const rows = await refusalsIn(db, scope, part).execute()
    return rows.map((row) => ({
      kind: 'refusal',
      id: row.id,
      at: fromUtcTime(row.last_at),
      onClock: null,
      told: {
        ...NOTHING,
        type: row.code,
        about: aboutOf({ license: row.license_id, install: row.install_id, user: row.user_id }),
        environment: row.environment,
        text: row.message,
        count: row.count,
        data: { occasion: row.occasion, url: row.url, uid: row.uid, version: row.version },
      },
    }))
  },
}

const idsIn = (details: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ABOUT_KINDS.map((kind) => {
      const id = Number(details[`${kind}_id`])
      return [kind, Number.isInteger(id) && id > 0 ? id : null]
    }),
  )

/** The nearest thing that something is about. */
function aboutOf(ids: Readonly<Partial<Record<AboutKind, number | null>>>): TimelineEntry['about'] {
  const kind = ABOUT_KINDS.find((one) => ids[one])
  return kind ? { kind, id: String(ids[kind]) } : null
}
