import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Context } from '../context.ts'
import { filesIn, NoExport } from './files/manifest.ts'
import { readLines } from './files/read-file.ts'
import { importRows, PART, type Import, type ImportReport } from './import-rows.ts'

const FILES = 'files'

/**
 * Brings the files of a folder into an account (`importRows`): those that `exportAccount` has written, or some of them,
 * or others of the same form; `name` is what the import is called. `NoExport` where there are none.
 */
export async function importFiles(
  ctx: Context,
  folder: string,
  given: Import,
  name = FILES,
): Promise<ImportReport> {
  const names = await readdir(folder).catch(() => null)
  if (names === null) throw new NoExport(`${folder} is no folder.`)
  const files = await filesIn(folder, names)
  const kinds = files.map(({ kind, file, format }) => ({
    kind,
    // What another server was read into is no file of anybody.
    ...(name === FILES && { file: basename(file) }),
    lines: () => readLines(file, format, kind, given.part ?? PART),
  }))
  return importRows(ctx, { name, kinds }, given)
}
