import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import {
  BULK_ITEM_STATES,
  BULK_STATES,
  type BulkItemsTable,
  type BulkItemState,
  type BulkState,
  type BulksTable,
} from '../../db/tables/bulks.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
} from '../../http/wire.ts'
import { BULK_ACTIONS, type BulkAction } from './actions.ts'

export type BulkRow = Selectable<BulksTable>
export type BulkItemRow = Selectable<BulkItemsTable>

const Given = Type.Unsafe<Readonly<Record<string, unknown>>>

export const NewBulk = Arguments({
  action: Type.Unsafe<BulkAction>(
    Choice(BULK_ACTIONS, { description: 'What is done to each: an operation on one, as its list is named.' }),
  ),
  ids: Optional(Text({ max: 20_000, format: 'ids', description: 'To which, by commas; this, or `filter`.' })),
  filter: Optional(
    Given({
      type: 'object',
      description: 'To all that the list has with these arguments, by their names; without any to all of it.',
    }),
  ),
  arguments: Optional(Given({ type: 'object', description: 'Those of the operation, the same for each.' })),
  dry_run: Type.Boolean({ default: false, description: 'Says what would happen to each, and does nothing.' }),
})
export type NewBulk = Static<typeof NewBulk>

export const BulkId = Arguments({ bulk_id: Id('ID of the bulk action.') })
export const BulkList = Arguments({ ...Paging, ...Fields })
export type BulkList = Static<typeof BulkList>
export const BulkItemList = Arguments({
  state: Optional(
    Type.Unsafe<BulkItemState>(Choice(BULK_ITEM_STATES, { description: 'Only those that are so.' })),
  ),
  ...Paging,
  ...Fields,
})
export type BulkItemList = Static<typeof BulkItemList>

/** A bulk action, and how far it is. */
export const Bulk = Type.Object(
  {
    id: IdText(),
    action: Type.Unsafe<BulkAction>(Choice(BULK_ACTIONS)),
    is_dry_run: Type.Boolean(),
    state: Type.Unsafe<BulkState>(
      Choice(BULK_STATES, {
        description:
          '`collecting`: it is noted which rows there are, and nothing is done yet; `failed`: given up.',
      }),
    ),
    total: Type.Integer({ description: 'To how many it is done; grows while they are collected.' }),
    done: Type.Integer({ description: 'Of how many that is done, or would be.' }),
    failed: Type.Integer({ description: 'Of how many it is refused, or would be.' }),
    error: Nullable(Type.String({ description: 'Why it was given up.' })),
    created: Time(),
    finished_at: Nullable(Time()),
  },
  { title: 'Bulk' },
)
export type Bulk = Static<typeof Bulk>

export const BulkItem = Type.Object(
  {
    id: IdText('Of the row that it is done to.'),
    state: Type.Unsafe<BulkItemState>(Choice(BULK_ITEM_STATES)),
    code: Nullable(Type.String({ description: 'What it is refused with.' })),
    message: Nullable(Type.String()),
    changes: Nullable(
      Type.Unknown({ description: 'The fields that change: the value before and the value after of each.' }),
    ),
  },
  { title: 'BulkItem' },
)
export type BulkItem = Static<typeof BulkItem>

/** Row → wire. */
export const presentBulk = (row: BulkRow): Bulk => ({
  id: String(row.id),
  action: row.action as BulkAction,
  is_dry_run: row.is_dry_run,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  error: row.error,
  created: row.created,
  finished_at: row.finished_at,
})

/** Row → wire. */
export const presentBulkItem = (row: BulkItemRow): BulkItem => ({
  id: String(row.item_id),
  state: row.state,
  code: row.code,
  message: row.message,
  changes: row.changes === null ? null : (JSON.parse(row.changes) as unknown),
})
