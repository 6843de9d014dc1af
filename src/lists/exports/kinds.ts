import type { ReadContext } from '../../context.ts'
import { DATA_CLASSES, hiddenFrom } from '../../access/data-classes.ts'
import type { Scope } from '../../access/scope.ts'
import type { AnyOperation } from '../../http/operation.ts'
import { secretNamesOf } from '../../http/wire.ts'
import type { TObject, TSchema } from '../../lib/type.ts'

interface Kind {
  /** The operation that lists them in a product; absent: there is none. */
  readonly ofProduct?: string
  /** That of the account, where it lists what no product has; absent: all products are gone through. */
  readonly ofAccount?: string
  /** What has it tell more of each. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** What can be exported. A list is what its operation says it is: its filter, its columns, and who may read it. */
const KINDS = {
  licenses: { ofProduct: 'licenses/list', more: { enriched: true } },
  users: { ofProduct: 'users/list' },
  payments: { ofProduct: 'payments/list', more: { extended: true } },
  subscriptions: { ofProduct: 'subscriptions/list', more: { extended: true, sort: '-id' } },
  installs: { ofProduct: 'installations/list-installs' },
  trials: { ofProduct: 'trials/list', more: { extended: true } },
  coupons: { ofProduct: 'coupons/list' },
  carts: { ofProduct: 'carts/list' },
  events: { ofProduct: 'events/list', ofAccount: 'keywright/list-account-events' },
  audit: { ofAccount: 'keywright/list-audit' },
} as const satisfies Record<string, Kind>

/** What is counted beside these and not exported. */
const COUNTED_KINDS = {
  products: { ofAccount: 'keywright/list-products' },
  stores: { ofAccount: 'keywright/list-stores' },
  reviews: { ofProduct: 'reviews/list' },
  disputes: { ofProduct: 'keywright/list-disputes' },
  mails: { ofProduct: 'keywright/list-mails' },
  webhooks: { ofProduct: 'keywright/list-webhooks' },
  deliveries: { ofProduct: 'keywright/list-deliveries' },
} as const satisfies Record<string, Kind>

export type ListKind = keyof typeof KINDS | keyof typeof COUNTED_KINDS
const ALL_KINDS: Readonly<Record<ListKind, Kind>> = { ...KINDS, ...COUNTED_KINDS }
export const LIST_KINDS = Object.keys(ALL_KINDS) as ListKind[]

export type ExportKind = keyof typeof KINDS
export const EXPORT_KINDS = Object.keys(KINDS) as ExportKind[]

/** The kind of an export that is no list: all that an account has. */
export const WHOLE = 'account'

/** Arguments of a list that do not say which rows it has. */
const NO_FILTER: ReadonlySet<string> = new Set(['count', 'offset', 'before', 'fields', 'product_ids', 'sort'])

export type ListOperation = Extract<AnyOperation, { readonly kind: 'read' }>

/** A list, and how all of it is read. */
export interface List {
  readonly op: ListOperation
  /** Arguments beside the filter. */
  readonly more: Readonly<Record<string, unknown>>
  /** Whether each product has one of its own. */
  readonly isOfProducts: boolean
  /** Names of the arguments that narrow it. */
  readonly filter: readonly string[]
  /** Those of them that are kept from whoever reads along. */
  readonly secrets: readonly string[]
}

/** The list of a kind: of products, or, where none is named and it has one, the one of the account. */
export function listOf({ hooks }: Pick<ReadContext, 'hooks'>, name: ListKind, isOfSome: boolean): List {
  const kind = ALL_KINDS[name]
  const isOfProducts = kind.ofProduct !== undefined && (isOfSome || kind.ofAccount === undefined)
  const id = (isOfProducts ? kind.ofProduct : kind.ofAccount) ?? ''
  const op = hooks.operation(id)
  if (op?.kind !== 'read') throw new Error(`Nothing lists ${name} as ${id}.`)
  const { more = {} } = kind
  const filter = Object.keys(op.query?.properties ?? {}).filter(
    (argument) => !NO_FILTER.has(argument) && !(argument in more) && !/^(is_)?enrich/.test(argument),
  )
  const secrets = secretNamesOf(op.query)
  return { op, more, isOfProducts, filter, secrets }
}

export interface Column {
  readonly name: string
  readonly isTime: boolean
}

/** The columns of a list that its caller may see, in their order; those of several products begin with which. */
export function columnsOf({ op, isOfProducts }: List, scope: Pick<Scope, 'actor'>): Column[] {
  const hidden = new Set(hiddenFrom(scope).flatMap((name): readonly string[] => DATA_CLASSES[name].fields))
  const properties = Object.entries(itemOf(op).properties)
  const own = properties.map(([name, schema]) => ({ name, isTime: isTime(schema) }))
  const place =
    isOfProducts && !own.some(({ name }) => name === PLACE) ? [{ name: PLACE, isTime: false }] : []
  return [...place, ...own].filter(({ name }) => !hidden.has(name))
}

/** The column that says of which product a row is. */
export const PLACE = 'plugin_id'

function itemOf({ id, response, items = '' }: ListOperation): TObject {
  const list = (response as TObject | undefined)?.properties[items] as { items?: TObject } | undefined
  if (!list?.items) throw new Error(`${id} answers no list.`)
  return list.items
}

/** As `Time` of the wire, whether or not it may be null. */
function isTime(schema: TSchema): boolean {
  const { pattern, anyOf } = schema as { pattern?: string; anyOf?: readonly TSchema[] }
  return anyOf ? anyOf.some(isTime) : pattern?.includes(String.raw`\d\d:\d\d:\d\d`) === true
}
