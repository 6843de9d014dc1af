import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { EXPORT_STATES, type ExportsTable } from '../../db/tables/exports.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  SecretText,
  Text,
  Time,
  TimeZone,
} from '../../http/wire.ts'
import type { Filter } from '../filter.ts'
import { EXPORT_KINDS, WHOLE, type ExportKind } from './kinds.ts'

export type { ExportKind } from './kinds.ts'

export type ExportRow = Selectable<ExportsTable>

const OfList = Type.Unsafe<Filter>({
  type: 'object',
  description:
    'What narrows the list: the arguments of its operation, by their names, and `product_ids`; absent: nothing.',
})

const FORMATS = ['csv', 'jsonl'] as const

export const NewExport = Arguments({
  kind: Choice(EXPORT_KINDS, { description: 'Which list.' }),
  filter: Optional(OfList),
  columns: Optional(
    Text({
      max: 4000,
      description: 'Names of fields, with commas between them; absent: all that the caller may see.',
    }),
  ),
  time_zone: TimeZone('That of the times, as `Europe/Berlin`.', { default: 'UTC' }),
  format: Type.Unsafe<(typeof FORMATS)[number]>(
    Choice(FORMATS, { default: 'csv', description: '`jsonl`: an object of JSON a line.' }),
  ),
})
export type NewExport = Static<typeof NewExport>

export const ExportId = Arguments({ export_id: Id('ID of the export.') })
const SHOWN_KINDS = [...EXPORT_KINDS, WHOLE] as const
export type ShownKind = (typeof SHOWN_KINDS)[number]

export const ExportList = Arguments({
  kind: Optional(Choice(SHOWN_KINDS, { description: 'Only exports of this list, or of the whole account.' })),
  ...Paging,
  ...Fields,
})
export type ExportList = Static<typeof ExportList>

/** An export, and how far it is. */
export const Export = Type.Object(
  {
    id: IdText(),
    kind: Type.Unsafe<ShownKind>(
      Choice(SHOWN_KINDS, {
        description: '`account`: all that the account has, which its owner is told of alone.',
      }),
    ),
    filter: Type.Unsafe<Filter>({ type: 'object', description: 'Without what is secret, as a license key.' }),
    columns: Type.Array(Type.String()),
    time_zone: Type.String(),
    format: Type.Unsafe<(typeof FORMATS)[number]>(Choice(FORMATS)),
    state: Choice([...EXPORT_STATES, 'running', 'expired'], {
      description: '`expired`: its file is gone.',
    }),
    progress: Type.Number({ description: 'How far it is, from 0 to 1, by where in the list it is.' }),
    rows: Type.Integer({ description: 'How many are written.' }),
    size: Nullable(Type.Integer({ description: 'Of the file, in bytes.' })),
    error: Nullable(Type.String({ description: 'Why it failed.' })),
    created: Time(),
    finished_at: Nullable(Time()),
    expires_at: Nullable(Time('Until when the file is there.')),
    url: Nullable(
      Type.String({
        description:
          'Where the file is, for whoever has the address, until it expires; null of an account, whose address is asked for with the password.',
      }),
    ),
  },
  { title: 'Export' },
)
export type Export = Static<typeof Export>

/** All that an account has, asked for with the password once more. */
export const NewAccountExport = Arguments({
  current_password: SecretText(),
  format: Type.Unsafe<(typeof FORMATS)[number]>(
    Choice(FORMATS, { default: 'jsonl', description: 'Of the files in the ZIP file.' }),
  ),
})
export type NewAccountExport = Static<typeof NewAccountExport>

export const ExportAddress = Type.Object(
  {
    url: Type.String({ description: 'Where the file is, for whoever has the address.' }),
    expires_at: Time('Until when the address works.'),
  },
  { title: 'ExportAddress' },
)
export type ExportAddress = Static<typeof ExportAddress>

export const ExportColumns = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: Type.Unsafe<ExportKind>(Choice(EXPORT_KINDS)),
        columns: Type.Array(Type.String()),
        filter: Type.Array(Type.String({ description: 'Names of the arguments that narrow it.' })),
      }),
    ),
  },
  { title: 'ExportColumns' },
)
export type ExportColumns = Static<typeof ExportColumns>
