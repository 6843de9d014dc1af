import type { AsideCode, PlatformFault } from '../codes.ts'
import type { Value } from '../kinds/column.ts'
import { Unfit } from './convert.ts'
import { Found } from './found.ts'
import { idOf, type Space } from './ids.ts'
import { BESIDE, type Entity, type Platform, type Take } from './map.ts'
import type { Given, RecordsOf } from './read-records.ts'
import { valueOf } from './take.ts'

/** A row that cannot come: where it stands, and why. */
export interface LeftOut {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly column: string | null
  readonly reason: PlatformFault
  readonly message: string
}

/** A row that is made of a record, with what is said beside its columns. */
export interface Draft {
  readonly id: number
  readonly given: Given
  readonly row: Record<string, Value>
  readonly beside: Readonly<Record<string, Value>>
  /** Columns that are left empty where what they name does not come. */
  readonly optional: ReadonlySet<string>
}

/** The rows of each kind so far, what was left out, and what was put aside, counted by kind and code. */
export interface Drafts {
  readonly rows: Map<string, Draft[]>
  readonly left: LeftOut[]
  readonly aside: Map<`${string} ${AsideCode}`, number>
}

/** The rows that the entities of a platform make of its records, each by itself. */
export function build(platform: Platform, records: RecordsOf, space: Space): Drafts {
  const found = new Found(records)
  const nothing: Given = { file: '', line: 0, values: {} }
  const zone = platform.zone === undefined ? '' : found.text(nothing, platform.zone)
  const drafts: Drafts = { rows: new Map(), left: [], aside: new Map() }
  const numbered = (name: string, id: string) => idOf(space, name, id)
  for (const entity of platform.entities) {
    const made = draftsOf(drafts, entity, { found, zone, idOf: numbered })
    drafts.rows.set(entity.kind, [...(drafts.rows.get(entity.kind) ?? []), ...made])
  }
  return drafts
}

/** The rows of one entity: of records with one id one. */
function draftsOf(drafts: Drafts, entity: Entity, from: Omit<Taking, 'given'>): Iterable<Draft> {
  const made = new Map<number, Draft>()
  const names = new Map<number, string>()
  for (const given of from.found.of(entity.source)) {
    const name = isTaken(drafts, entity, from.found, given) ? from.found.text(given, entity.id) : null
    if (name === null || (name === '' && entity.isMaybe)) continue
    const id = from.idOf(entity.name, name)
    const isOther = (names.get(id) ?? name) !== name
    if (name === '') leave(drafts, entity.kind, given, ['id', 'no_id', 'is empty'])
    else if (isOther) leave(drafts, entity.kind, given, ['id', 'double_id', 'has the id of another row'])
    else {
      names.set(id, name)
      const draft = draftOf(drafts, entity, { ...from, given }, id)
      if (draft && isEarlier(draft, made.get(id))) made.set(id, draft)
    }
  }
  return made.values()
}

type Why = readonly [column: string | null, reason: PlatformFault, message: string]

/** Notes a row that cannot come. */
export function leave(
  { left }: Drafts,
  kind: string,
  { file, line }: Given,
  [column, reason, message]: Why,
): void {
  left.push({ file, line, kind, column, reason, message })
}

/** Of records with one id, such as sales to one address, the earliest is taken, whatever their order. */
function isEarlier(draft: Draft, before: Draft | undefined): boolean {
  if (before === undefined) return true
  const [created, first] = [String(draft.row['created']), String(before.row['created'])]
  return created < first
}

function putAside({ aside }: Drafts, kind: string, code: AsideCode): void {
  const name = `${kind} ${code}` as const
  aside.set(name, (aside.get(name) ?? 0) + 1)
}

function isTaken(drafts: Drafts, entity: Entity, found: Found, given: Given): boolean {
  for (const { from, take, aside, code, where } of entity.only ?? []) {
    const text = found.text(given, from)
    const isAsked = where === undefined || where[1].includes(found.text(given, where[0]))
    if (!isAsked || take.includes(text)) continue
    if (aside.includes(text) || aside.includes('*')) {
      if (code !== undefined) putAside(drafts, entity.kind, code)
    } else
      leave(drafts, entity.kind, given, [
        null,
        'unknown_state',
        `has a state that is not known: ${text.slice(0, 40)}`,
      ])
    return false
  }
  return true
}

type Taking = Parameters<typeof valueOf>[0]

function draftOf(drafts: Drafts, entity: Entity, taking: Taking, id: number): Draft | null {
  const own = BESIDE[entity.kind] ?? []
  const row: Record<string, Value> = { id }
  const beside: Record<string, Value> = {}
  const optional = new Set<string>()
  let isWhole = true
  for (const [column, take] of Object.entries(entity.columns)) {
    try {
      const value = valueOf(taking, take)
      if (own.includes(column)) beside[column] = value
      else row[column] = value
      if (isOptional(take)) optional.add(column)
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      leave(drafts, entity.kind, taking.given, [column, error.code, error.message])
      isWhole = false
    }
  }
  return isWhole ? { id, given: taking.given, row, beside, optional } : null
}

const isOptional = (take: Take): boolean =>
  take.take === 'when'
    ? isOptional(take.hit) || isOptional(take.miss)
    : take.take === 'reference' && take.optional
