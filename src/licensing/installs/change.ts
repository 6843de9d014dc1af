import type { TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import type { Scope } from '../../access/scope.ts'
import { compareVersions } from '../../lib/compare-versions.ts'
import { shownCountry } from '../../lib/countries.ts'
import { invalid } from '../../lib/errors.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { updateInstallRow, type InstallUpdate } from './queries.ts'
import type { InstallRow } from './schema.ts'
import { placeOf, siteOf } from './site.ts'

/** The fields of an install that are simply set; what is left out stays. */
export interface InstallChange {
  readonly uid?: string
  readonly url?: string | null
  readonly title?: string | null
  readonly version?: string
  readonly plan_id?: number | null
  readonly trial_plan_id?: number | null
  readonly trial_ends?: UtcTime | null
  readonly subscription_id?: number | null
  readonly country_code?: string | null
  readonly language?: string | null
  readonly platform_version?: string | null
  readonly sdk_version?: string | null
  readonly programming_language_version?: string | null
  readonly is_active?: boolean
  readonly is_disconnected?: boolean
  readonly is_premium?: boolean
  readonly is_uninstalled?: boolean
  readonly is_locked?: boolean
  readonly is_beta?: boolean
  readonly is_sdk_required?: boolean
}

type Columns = { readonly [K in keyof InstallChange]: InstallRow[K] }

/** The columns of what was told, and only of that. */
export function columnsOf(change: InstallChange): Partial<Columns> {
  const told = NAMES.filter((name) => change[name] !== undefined)
  const entries = told.map((name) => {
    const value = change[name]
    return [name, typeof value === 'boolean' ? Number(value) : value]
  })
  return Object.fromEntries(entries) as Partial<Columns>
}

/**
 * Changes an install that the caller holds: sets what differs, keeps what follows from it (site, host, when its
 * version arrived), and records for each changed field its event, and `install.updated` for those that have
 * none. The install as it is then.
 */
export async function changeInstall(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  change: InstallChange,
): Promise<InstallRow> {
  const columns = columnsOf(change)
  const changed = NAMES.filter((name) => name in columns && columns[name] !== install[name])
  const now = toUtcTime(ctx.clock.real())
  const isSeen = scope.actor.kind === 'install' || scope.actor.kind === 'user'
  if (changed.length === 0 && !isSeen) return install
  const set: InstallUpdate = {
    ...Object.fromEntries(changed.map((name) => [name, columns[name]])),
    ...(changed.length > 0 && { updated: now }),
    ...(isSeen && { last_seen_at: now }),
    ...(changed.includes('version') && { upgraded: now }),
    ...(await placeColumns(ctx, scope, install, changed.length > 0 ? columns : {})),
  }
  const after = await updated(ctx, scope, install.id, set)
  await recordChange(ctx, scope, { before: install, after, changed })
  return after
}

/** 400 `install_uid_taken` when the owner has another install of the uid. */
async function updated(ctx: TxContext, scope: Scope, id: number, set: InstallUpdate): Promise<InstallRow> {
  try {
    return await updateInstallRow(ctx.db, scope, id, set)
  } catch (error) {
    if (set.uid === undefined || !isDuplicate(error)) throw error
    throw invalid('install_uid_taken', 'The owner of this install has another one of this uid.', 'uid')
  }
}

async function placeColumns(ctx: TxContext, scope: Scope, install: InstallRow, columns: Partial<Columns>) {
  const { url = install.url } = columns
  if (url === install.url) return {}
  const { host, address } = placeOf(url)
  return { host, site_id: await siteOf(ctx, scope, address ?? install.uid) }
}

type Field = keyof InstallChange

/**
 * The event of each field: when its value became true, higher or, with one event, any other; and when it became
 * false or lower. Null: the change is told by `install.updated`.
 */
const EVENTS: { readonly [K in Field]: readonly [EventType, (EventType | null)?] | null } = {
  uid: null,
  url: ['install.url.updated'],
  title: ['install.title.updated'],
  version: ['install.version.upgraded', 'install.version.downgrade'],
  plan_id: ['install.plan.changed'],
  trial_plan_id: ['install.trial.plan.updated'],
  trial_ends: ['install.trial.extended', null],
  subscription_id: null,
  country_code: null,
  language: ['install.language.updated'],
  platform_version: ['install.platform.version.updated'],
  sdk_version: ['install.sdk.version.updated'],
  programming_language_version: ['install.programming_language.version.updated'],
  is_active: ['install.activated', 'install.deactivated'],
  is_disconnected: ['install.disconnected', 'install.connected'],
  is_premium: ['install.premium.activated', 'install.premium.deactivated'],
  is_uninstalled: ['install.uninstalled', null],
  is_locked: null,
  is_beta: ['user.beta_program.opted_in', 'user.beta_program.opted_out'],
  is_sdk_required: null,
}

const NAMES = Object.keys(EVENTS) as readonly Field[]

interface Changed {
  readonly before: InstallRow
  readonly after: InstallRow
  readonly changed: readonly Field[]
}

/**
 * The event of a changed field; null: it has none of its own. What is told of a user is told by who has proven to be it
 * (`docs/decisions.md` 3.12): a site that follows the beta program by itself says nothing of its owner.
 */
function eventOf(field: Field, { before, after }: Changed, { reach }: Scope): EventType | null {
  const types = EVENTS[field]
  if (types === null || (reach && types[0].startsWith('user.'))) return null
  const [up, down] = types
  return down === undefined || isUp(field, before, after) ? up : down
}

function isUp(field: Field, before: InstallRow, after: InstallRow): boolean {
  if (field === 'version') return compareVersions(after.version, before.version) >= 0
  const [from, to] = [before[field], after[field]]
  return to !== null && (from === null || to > from)
}

/** Records what differs in some fields between two states of an install, as `changeInstall` does. */
export const recordDifferences = (
  ctx: TxContext,
  scope: Scope,
  states: Pick<Changed, 'before' | 'after'>,
  fields: readonly Field[],
): Promise<void> => {
  const changed = fields.filter((field) => states.before[field] !== states.after[field])
  return recordChange(ctx, scope, { ...states, changed })
}

/** A field with an event of its own is not told by `install.updated` too (`docs/interface.md` 11.2). */
async function recordChange(ctx: TxContext, scope: Scope, change: Changed): Promise<void> {
  const { before, after, changed } = change
  const about = { userId: after.user_id, installId: after.id }
  const install_id = String(after.id)
  const others: Field[] = []
  for (const field of changed) {
    const type = eventOf(field, change, scope)
    if (type === null) others.push(field)
    else {
      const data = { install_id, from: told(field, before), to: told(field, after) }
      await recordEvent(ctx, scope, { type, ...about, data })
    }
  }
  if (others.length === 0) return
  const state = (row: InstallRow) => Object.fromEntries(others.map((field) => [field, told(field, row)]))
  const data = { install_id, from: state(before), to: state(after) }
  await recordEvent(ctx, scope, { type: 'install.updated', ...about, data })
}

/** A value as events tell it: flags as booleans, ids as text. */
function told(field: Field, row: InstallRow): unknown {
  const value = row[field]
  if (field.startsWith('is_')) return value === 1
  if (field === 'country_code') return shownCountry(row.country_code)
  return typeof value === 'number' ? String(value) : value
}
