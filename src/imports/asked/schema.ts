import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import {
  IMPORT_STATES,
  type ImportReportTable,
  type ImportsTable,
  type ImportState,
} from '../../db/tables/imports.ts'
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
} from '../../http/wire.ts'
import { IMPORT_SOURCES, type ImportSource } from './sources.ts'

export type { ImportSource } from './sources.ts'

export type ImportRow = Selectable<ImportsTable>
export type ReportRow = Selectable<ImportReportTable>

const MAX_FILE = 512 * 1024 * 1024

/** A ZIP file or one file of a kind, but of a server; of a server or a platform the methods of payment of subscriptions. */
export const ImportFiles = {
  file: { maxBytes: MAX_FILE, goesToStorage: true, isOptional: true },
  payment_methods: { maxBytes: MAX_FILE, goesToStorage: true, isOptional: true },
} as const

export const NewImport = Arguments({
  source: Type.Unsafe<ImportSource>(
    Choice(IMPORT_SOURCES, {
      description:
        '`files`: the part `file`, a ZIP file of the files of an export or one of them; `server`: another server of this interface; a platform: the part `file`, a ZIP file of its exports, tables or saved pages.',
    }),
  ),
  dry_run: Type.Boolean({
    default: true,
    description: 'Looks at every row, says what is wrong, and waits to be started.',
  }),
  leave_out: Type.Boolean({
    default: false,
    description: 'Of a platform: brings the others where rows cannot come.',
  }),
  shop: Optional(
    Text({
      max: 100,
      description:
        'Of a platform: which of your shops there it is, where several come into the account; ids of one are no ids of another.',
    }),
  ),
  renew_here: Type.Boolean({
    default: false,
    description: 'Of a platform: renews here the subscriptions whose method of payment comes along.',
  }),
  url: Optional(Text({ max: 2048, format: 'http-url', description: 'Of a server: its address.' })),
  from_developer_id: Optional(Id('Of a server: ID of the developer there.')),
  public_key: Optional(Text({ max: 100, description: 'Of a server: public key of the developer there.' })),
  secret_key: Optional(
    SecretText({
      max: 100,
      description: 'Of a server: secret key of the developer there; sealed, and forgotten at the end.',
    }),
  ),
})
export type NewImport = Static<typeof NewImport>

export const ImportId = Arguments({ import_id: Id('ID of the import.') })
export const ImportList = Arguments({ ...Paging, ...Fields })
export type ImportList = Static<typeof ImportList>
export const ReportList = Arguments({
  kind: Optional(
    Text({ max: 100, description: 'Only what is said of rows of this kind, such as `licenses`.' }),
  ),
  ...Paging,
  ...Fields,
})
export type ReportList = Static<typeof ReportList>

const KindProgress = Type.Object({
  kind: Type.String(),
  file: Nullable(Type.String()),
  looked_at: Type.Integer({ description: 'How many rows were looked at.' }),
  written: Type.Integer({ description: 'How many of them were gone through to be written.' }),
  add: Type.Integer({ description: 'How many are not here yet.' }),
  change: Type.Integer({ description: 'How many have changed there since they were brought.' }),
  same: Type.Integer({ description: 'How many are here as they are there.' }),
  kept: Type.Integer({ description: 'How many stay as they were changed here.' }),
  bad: Type.Integer(),
})
export type KindProgress = Static<typeof KindProgress>

/** An import, and how far it is. */
export const Import = Type.Object(
  {
    id: IdText(),
    source: Type.String({ description: 'What it is of, or the address of the server.' }),
    file_name: Nullable(Type.String()),
    is_dry_run: Type.Boolean(),
    state: Type.Unsafe<ImportState>(
      Choice(IMPORT_STATES, {
        description:
          '`checking`: every row is looked at; `checked`: nothing more is written until it is started; `running`: rows are written, or an import of the command line was broken off; `failed`: given up.',
      }),
    ),
    is_at_work: Type.Boolean({
      description: 'Whether the server has it in hand, or has it wait to be started.',
    }),
    progress: Nullable(
      Type.Number({ description: 'How far the state is, from 0 to 1, where that is known.' }),
    ),
    reading: Nullable(Type.String({ description: 'The product that is being read from a server.' })),
    kind: Nullable(Type.String({ description: 'The kind that was written last.' })),
    rows: Type.Integer({ description: 'How many the source has, as far as they were looked at.' }),
    added: Type.Integer(),
    changed: Type.Integer(),
    same: Type.Integer(),
    kept: Type.Integer(),
    bad: Type.Integer({ description: 'How many faults there are; nothing is written while there is one.' }),
    left_out: Type.Integer({
      description: 'How many faults have rows that were left out, as was asked for.',
    }),
    aside: Type.Array(
      Type.Object({
        kind: Type.String(),
        reason: Type.String({ description: 'A code, such as `not_paid` or `unknown_subscription`.' }),
        count: Type.Integer(),
      }),
      {
        description:
          'What is no row here, counted: orders that were never paid, methods of subscriptions that there are not.',
      },
    ),
    does_not_fit: Type.Array(Type.Object({ what: Type.String(), why: Type.String() }), {
      description: 'Of a platform: what it has that does not come, or comes otherwise.',
    }),
    removed: Type.Integer({ description: 'How many rows undoing it has taken out.' }),
    stayed: Type.Integer({ description: 'How many rows undoing it has left.' }),
    kinds: Type.Array(KindProgress),
    error: Nullable(Type.String({ description: 'Why it was given up.' })),
    created: Time(),
    finished_at: Nullable(Time()),
    expires_at: Nullable(Time('Of one that waits to be started: when it is canceled.')),
  },
  { title: 'Import' },
)
export type Import = Static<typeof Import>

export const ReportLine = Type.Object(
  {
    id: IdText(),
    part: Choice(['check', 'kept', 'undo'], {
      description:
        '`check`: a fault that the look at the rows has found; `kept`: a row that stays as it was changed here; `undo`: a row that undoing has left.',
    }),
    kind: Type.String(),
    file: Nullable(Type.String()),
    line: Nullable(Type.Integer({ description: 'Of the file, from 1.' })),
    key: Nullable(
      Type.String({ description: 'Of a row that stays, or that undoing has left: what names it.' }),
    ),
    field: Nullable(Type.String({ description: 'The column that is wrong.' })),
    code: Type.String(),
    message: Type.String(),
  },
  { title: 'ImportReportLine' },
)
export type ReportLine = Static<typeof ReportLine>

/** Row → wire. */
export const presentReportLine = (row: ReportRow): ReportLine => ({
  id: String(row.n),
  part: row.part,
  kind: row.kind,
  file: row.file,
  line: row.line,
  key: row.row_key,
  field: row.field,
  code: row.code,
  message: row.message,
})
