import { KIND_NAMES } from '../kinds/kinds.ts'
import { isPlatform, PLATFORM_NAMES } from '../platforms/names.ts'

/** What an import may be asked of, as the interface and the pages call it. */
export const IMPORT_SOURCES = ['files', 'server', ...PLATFORM_NAMES] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

/** Names of files that are read: of one that is uploaded alone, and of those in a ZIP file. */
export const READ = /\.(?:csv|jsonl|json)$/i

/** Why a file cannot be taken by its name; null: it can. */
export function refusalOfName(source: ImportSource, filename: string): string | null {
  if (source === 'server') return 'is for what comes from no server'
  if (/\.zip$/i.test(filename)) return null
  if (isPlatform(source)) return 'must be a ZIP file'
  const [, kind = ''] = /^([a-z_]+)\.(?:csv|jsonl)$/.exec(filename) ?? []
  return KIND_NAMES.includes(kind)
    ? null
    : 'must be a ZIP file, or one named by its kind, such as licenses.csv'
}

/** Why a file of methods of payment cannot be taken; null: it can. */
export function refusalOfMethods(source: ImportSource, filename: string): string | null {
  if (source === 'files')
    return 'is for what comes from a server or another platform: methods are in the files'
  return READ.test(filename) ? null : 'must be a file of JSON lines or CSV, such as methods.csv'
}
