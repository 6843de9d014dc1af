import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Column, Kind } from '../kinds/column.ts'
import { KINDS } from '../kinds/kinds.ts'
import type { Format } from './read-file.ts'

export const MANIFEST = 'manifest.json'
/** In a folder while an export is written to it. */
export const UNFINISHED = 'UNFINISHED'
const FORMAT = 'keywright-export'
/** Of the files; another one is not read. */
const VERSION = 1

/** What is described of a file. */
export interface DescribedKind {
  readonly name: string
  readonly file: string
  readonly rows: number
  /** Of the whole file, in hexadecimal digits. */
  readonly sha256: string
  readonly says: string
  readonly key: readonly string[]
  readonly columns: readonly object[]
}

/** What stands beside the files of an export, and says what they are. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  /** When it was made, UTC, and by which version of this program. */
  readonly made: string
  readonly server: string
  readonly files: Format
  readonly account: { readonly id: number; readonly email: string }
  readonly units: Readonly<Record<string, string>>
  readonly kinds: readonly DescribedKind[]
}

/** What the units of columns are. */
const UNITS = {
  time: 'UTC, YYYY-MM-DD HH:MM:SS',
  'minor units': 'hundredths of the currency of the row, or of US dollars where it has none',
  millionths: 'of the whole: 200000 is 20 %',
  environment: '0 production, 1 sandbox',
  billing_cycle: 'months; 0: once',
  secret: 'in clear: whoever has the files has the keys',
}

/** The manifest of files that were written. */
export const manifestOf = (
  given: Pick<Manifest, 'made' | 'server' | 'files' | 'account' | 'kinds'>,
): Manifest => ({ format: FORMAT, version: VERSION, units: UNITS, ...given })

/** What a manifest says of a kind and its columns. */
export const described = ({ name, says, key, columns }: Kind) => ({
  name,
  says,
  key,
  columns: Object.entries(columns).map(([column, about]) => ({ name: column, ...aboutOf(about) })),
})

function aboutOf(column: Column): object {
  const { type, null: isNull, default: otherwise } = column
  return {
    type,
    null: isNull === true,
    ...(otherwise !== undefined && { default: otherwise }),
    ...(column.type === 'reference' && { to: column.to }),
    ...(column.type === 'choice' && { of: column.of }),
    ...(column.type === 'integer' && { min: column.min, max: column.max }),
    ...(column.type === 'integer' && column.unit !== undefined && { unit: column.unit }),
    ...((column.type === 'text' || column.type === 'secret') && {
      max: column.max,
      ...(column.form !== undefined && { form: column.form }),
    }),
  }
}

/** A file of a folder that is brought in, with what it is of. */
export interface KindFile {
  readonly kind: Kind
  readonly file: string
  readonly format: Format
}

/** What a folder has that cannot be read; the message says what helps. */
export class NoExport extends Error {}

/**
 * The files of a folder by their names, `licenses.jsonl` or `licenses.csv`, in the order in which they are brought in; a
 * folder needs no manifest. `NoExport` for one of a later version, an export that was broken off, files that are not what
 * their manifest says, or with no file of any kind.
 */
export async function filesIn(folder: string, names: readonly string[]): Promise<KindFile[]> {
  if (names.includes(UNFINISHED))
    throw new NoExport(`The export to ${folder} is not finished: wait for it, or export to another folder.`)
  if (names.includes(MANIFEST)) await requireManifest(folder)
  const found = KINDS.flatMap((kind) =>
    (['jsonl', 'csv'] as const)
      .filter((format) => names.includes(`${kind.name}.${format}`))
      .map((format) => ({ kind, format, file: join(folder, `${kind.name}.${format}`) })),
  )
  const twice = found.find(({ kind }, n) => found[n + 1]?.kind === kind)
  if (twice) throw new NoExport(`${folder} has ${twice.kind.name} as JSON lines and as CSV: remove one.`)
  if (found.length > 0) return found
  throw new NoExport(`${folder} has no file of a kind, such as ${KINDS[1]?.name}.jsonl or licenses.csv.`)
}

async function requireManifest(folder: string): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), 'utf8')
  const { format, version, kinds = [] } = manifestIn(text)
  if (format !== FORMAT || version !== VERSION)
    throw new NoExport(
      `${join(folder, MANIFEST)} is of another version than ${VERSION}: use a later Keywright.`,
    )
  for (const { file, sha256 } of kinds) {
    if ((await sumOf(join(folder, file))) === sha256) continue
    throw new NoExport(
      `${file} is not what ${MANIFEST} says: copy the export again. Remove ${MANIFEST} where you changed files.`,
    )
  }
}

/** The SHA-256 of a file in hexadecimal digits; null where there is none. */
async function sumOf(file: string): Promise<string | null> {
  const sum = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) sum.update(chunk as Buffer)
  } catch {
    return null
  }
  return sum.digest('hex')
}

function manifestIn(text: string): Partial<Manifest> {
  try {
    return (JSON.parse(text) as Partial<Manifest> | null) ?? {}
  } catch {
    return {}
  }
}
