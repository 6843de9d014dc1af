import type { ReadContext } from '../../context.ts'
import type { AnyOperation } from '../../http/operation.ts'
import { Problems, decode } from '../../http/decode.ts'
import { Type, type TObject } from '../../lib/type.ts'
import { Arguments, Optional } from '../../http/wire.ts'
import type { ExportKind } from '../exports/kinds.ts'

interface Action {
  /** The list whose rows it is done to. */
  readonly kind: ExportKind
  /** The operation that does it to one, and the parameter that names which. */
  readonly op: string
  readonly param: string
  /** The operation that reads one; absent: what changes is not told. */
  readonly read?: string
  /** Its own arguments, in the place of those of the operation. */
  readonly takes?: TObject
  /** Arguments of the operation that it does not take. */
  readonly without?: readonly string[]
}

const OF_LICENSE = { kind: 'licenses', param: 'license_id', read: 'licenses/retrieve' } as const
const OF_COUPON = { kind: 'coupons', param: 'coupon_id' } as const

/** What is done to many rows is, for each, an operation on one: its rules, refusals and events are those of that. */
const ACTIONS = {
  'licenses.update': { ...OF_LICENSE, op: 'licenses/update' },
  'licenses.extend': {
    ...OF_LICENSE,
    op: 'licenses/update',
    takes: Arguments({
      days: Type.Integer({ minimum: 1, maximum: 3650, description: 'By how many days its end moves.' }),
    }),
  },
  'licenses.cancel': { ...OF_LICENSE, op: 'licenses/cancel', without: ['delete'] },
  'licenses.deactivate': { ...OF_LICENSE, op: 'licenses/deactivate-installs' },
  'licenses.resend': { ...OF_LICENSE, op: 'licenses/resend-upgrade-email' },
  'coupons.update': { ...OF_COUPON, op: 'coupons/update', read: 'coupons/retrieve', without: ['code'] },
  'coupons.delete': { ...OF_COUPON, op: 'coupons/delete' },
  'users.update': {
    kind: 'users',
    op: 'users/update',
    param: 'user_id',
    read: 'users/retrieve',
    takes: Arguments({
      // Consent is each person's own: nobody gives it for many.
      is_marketing_allowed: Optional(Type.Unsafe<false>({ enum: [false], description: 'No more news.' })),
      is_beta: Optional(Type.Boolean({ description: 'Whether they are offered versions before others.' })),
    }),
  },
} as const satisfies Record<string, Action>

export type BulkAction = keyof typeof ACTIONS
export const BULK_ACTIONS = Object.keys(ACTIONS) as BulkAction[]

export type WriteOperation = Extract<AnyOperation, { readonly kind: 'write' }>
type ReadOperation = Extract<AnyOperation, { readonly kind: 'read' }>

/** An action with the operations that it is made of. */
export interface Doing extends Pick<Action, 'kind' | 'param'> {
  readonly name: BulkAction
  readonly op: WriteOperation
  readonly read: ReadOperation | null
  readonly takes: TObject | undefined
  /** The names of its arguments. */
  readonly names: readonly string[]
}

/** What an action does, by the operations of the server. */
export function doingOf({ hooks }: Pick<ReadContext, 'hooks'>, name: BulkAction): Doing {
  const { kind, param, op: id, read: reads, takes, without = [] }: Action = ACTIONS[name]
  const op = hooks.operation(id)
  const read = reads === undefined ? undefined : hooks.operation(reads)
  if (op?.kind !== 'write' || read?.kind === 'write') throw new Error(`Nothing does ${name} as ${id}.`)
  const own = takes ? [takes] : [op.query, op.body]
  const names = own
    .flatMap((schema) => Object.keys(schema?.properties ?? {}))
    .filter((one) => one !== 'fields' && !without.includes(one))
  return { name, kind, param, op, read: read ?? null, takes, names }
}

export type Given = Readonly<Record<string, unknown>>

/** Adds what is wrong with the arguments of an action to the problems of a request. */
export function checkArguments(doing: Doing, given: Given, problems: Problems): void {
  const strange = Object.keys(given).filter((name) => !doing.names.includes(name))
  for (const name of strange) {
    const message = `is no argument of ${doing.name}; there are ${doing.names.join(', ') || 'none'}`
    problems.malformed.push({ field: `arguments.${name}`, message })
  }
  const own = new Problems()
  argumentsOf(doing, given, own)
  problems.malformed.push(
    ...own.malformed.map(({ field, message }) => ({ field: `arguments.${field}`, message })),
  )
  problems.missing.push(
    ...own.missing.map(({ field, message }) => ({ field: `arguments.${field}`, message })),
  )
}

/** The arguments of the operation, in their types; those of the action itself where it has its own. */
export function argumentsOf({ op, takes }: Doing, given: Given, problems: Problems) {
  const part = (schema: TObject | undefined, source: 'json' | 'text') =>
    (schema ? decode(schema, given, source, problems) : {}) as Given
  return takes
    ? { query: {}, body: part(takes, 'json') }
    : { query: part(op.query, 'text'), body: part(op.body, 'json') }
}
