import { createHash } from 'node:crypto'
import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Context, ReadContext } from '../context.ts'
import type { Reader } from '../db/database.ts'
import { BYTE_ORDER_MARK, csvLine } from '../lib/csv.ts'
import type { OnStep } from '../lib/step.ts'
import { VERSION } from '../lib/version.ts'
import type { WantedArchive } from '../lists/hooks.ts'
import { cellOf } from './files/cells.ts'
import {
  described,
  MANIFEST,
  manifestOf,
  UNFINISHED,
  type DescribedKind,
  type Manifest,
} from './files/manifest.ts'
import type { Format } from './files/read-file.ts'
import type { Kind, Value, Values } from './kinds/column.ts'
import { KINDS } from './kinds/kinds.ts'
import { countRows, findAccount, findEmail, rowsAfter, type Account } from './queries.ts'
import { fileRow } from './stored.ts'

/** How many rows are read at once: what is asked of the server meanwhile waits for so many. */
const PART = 100

/** The export was asked into a folder that has files. */
export class FolderNotEmpty extends Error {}
/** There is no such account. */
export class NoAccount extends Error {}

interface Wanted {
  readonly developerId: number
  readonly folder: string
  readonly format: Format
  /** Told after each part, and awaited: what it throws ends the export. `progress` is from 0 to 1, by kinds. */
  readonly onPart?: WantedArchive['onPart']
  /** Told how many of all rows are written; they are counted for that, which others of the process wait for. */
  readonly onStep?: OnStep
}

/**
 * Writes everything of an account that is moved into an empty folder, one file a kind and a manifest last, readable by
 * its owner alone, as secrets are in clear. All files say what the database said at one moment. Rows are read by their keys
 * in parts, between which others have their turn, and memory does not grow with them.
 */
export async function exportAccount(ctx: Context, wanted: Wanted): Promise<Manifest> {
  const { folder } = wanted
  await accountOf(ctx.db, wanted)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new FolderNotEmpty(`${folder} is not empty.`)
  const unfinished = join(folder, UNFINISHED)
  await writeInto(unfinished, async () => {})
  const manifest = await writeAll(ctx, wanted)
  await unlink(unfinished)
  return manifest
}

const writeAll = (ctx: Context, wanted: Wanted): Promise<Manifest> =>
  ctx.database.snapshot(async (db) => {
    const { developerId, folder, format } = wanted
    const account = await accountOf(db, wanted)
    const kinds: DescribedKind[] = []
    let rows = 0
    const of = wanted.onStep ? await countAll(db, account) : null
    for (const [n, kind] of KINDS.entries()) {
      const written = await writeKind({ ...ctx, db }, kind, account, {
        ...wanted,
        onRows: async (count) => {
          wanted.onStep?.({ what: `writing ${kind.name}`, done: rows + count, of, unit: 'rows' })
          await wanted.onPart?.({ rows: rows + count, progress: n / KINDS.length })
        },
      })
      rows += written.rows
      kinds.push({ ...described(kind), ...written })
    }
    const email = await findEmail(db, developerId)
    const manifest = manifestOf({
      made: ctx.clock.now(),
      server: VERSION,
      files: format,
      account: { id: developerId, email },
      kinds,
    })
    await writeInto(join(folder, MANIFEST), (file) =>
      file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`),
    )
    return manifest
  })

async function countAll(db: Reader, account: Account): Promise<number> {
  let count = 0
  for (const kind of KINDS) count += await countRows(db, kind, account)
  return count
}

async function accountOf(db: Reader, { developerId }: Wanted): Promise<Account> {
  const account = await findAccount(db, developerId)
  if (account) return account
  throw new NoAccount(`There is no account ${developerId}.`)
}

/** Makes a file that must not be there, readable by its owner alone, and durable. */
async function writeInto(path: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await work(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

interface Writing extends Wanted {
  /** Told after each part of the kind, of its rows so far. */
  readonly onRows: (rows: number) => Promise<void>
}

async function writeKind(
  ctx: Pick<ReadContext, 'db' | 'keys'>,
  kind: Kind,
  account: Account,
  { folder, format, onRows }: Writing,
): Promise<Pick<DescribedKind, 'file' | 'rows' | 'sha256'>> {
  const name = `${kind.name}.${format}`
  const sum = createHash('sha256')
  const { head, line } = writingOf(kind, format)
  let rows = 0
  await writeInto(join(folder, name), async (file) => {
    const write = async (text: string): Promise<void> => {
      sum.update(text)
      await file.writeFile(text)
    }
    if (head !== '') await write(head)
    for await (const part of partsOf(ctx.db, kind, account)) {
      await write(part.map((stored) => line(fileRow(kind, stored, ctx.keys))).join(''))
      rows += part.length
      await onRows(rows)
    }
  })
  return { file: name, rows, sha256: sum.digest('hex') }
}

async function* partsOf(db: Reader, kind: Kind, account: Account) {
  for (let after: readonly Value[] | null = null; ;) {
    const part = await rowsAfter(db, kind, account, { after, count: PART })
    if (part.length > 0) yield part
    const last = part.at(-1)
    if (!last || part.length < PART) return
    after = kind.key.map((column) => last[column] as Value)
    await afterOthers()
  }
}

function writingOf({ columns }: Kind, format: Format) {
  const names = Object.keys(columns)
  if (format === 'jsonl') return { head: '', line: (row: Values) => `${JSON.stringify(row)}\n` }
  return {
    head: BYTE_ORDER_MARK + csvLine(names),
    line: (row: Values) => csvLine(names.map((name) => cellOf(row[name]))),
  }
}
