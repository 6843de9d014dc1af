import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

interface Place {
  /** The script that writes it, `npm run commands`, unless `script` is it. */
  readonly name: string
  readonly document: string
  readonly script?: string
}

/** Writes a table into its place between two comments; with `--check` it only fails where it is not there. */
export function keepTable({ name, document, script = name }: Place, table: string): void {
  const file = join(import.meta.dirname, '..', document)
  const text = readFileSync(file, 'utf8')
  const kept = withTable({ name, document, script }, text, table)
  if (!process.argv.includes('--check')) writeFileSync(file, kept)
  else if (kept !== text) {
    console.log(`${basename(document)} does not have the ${name} of today: npm run ${script}`)
    process.exitCode = 1
  }
}

function withTable({ name, document, script }: Required<Place>, text: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: npm run ${script} -->\n`, `<!-- end of ${name} -->\n`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${document} has no place for the ${name}.`)
  return `${before}${begin}\n${table}\n${end}${after}`
}

/** A line of a table. */
export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`
