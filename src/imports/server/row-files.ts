import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { KINDS } from '../kinds/kinds.ts'

type Row = Readonly<Record<string, unknown>>

/** Lines that are written at once. */
const LINES = 500

/** The files of the kinds in a folder, each begun when it gets its first row. */
export class RowFiles {
  readonly #folder: string
  readonly #open = new Map<string, { readonly file: FileHandle; lines: string[] }>()
  readonly #seen = new Map<string, Set<unknown>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(kind: string, row: Row): Promise<void> {
    const known = this.#open.get(kind) ?? { file: await this.#begin(kind), lines: [] }
    this.#open.set(kind, known)
    known.lines.push(`${JSON.stringify(row)}\n`)
    if (known.lines.length < LINES) return
    const text = known.lines.join('')
    known.lines = []
    await known.file.writeFile(text)
  }

  /** Of what several products have in common: by its id. */
  async addOnce(kind: string, row: Row): Promise<void> {
    const seen = this.#seen.get(kind) ?? new Set()
    this.#seen.set(kind, seen)
    if (seen.has(row['id'])) return
    seen.add(row['id'])
    await this.add(kind, row)
  }

  async close(): Promise<void> {
    for (const { file, lines } of this.#open.values()) {
      await file.writeFile(lines.join(''))
      await file.close()
    }
  }

  #begin(kind: string): Promise<FileHandle> {
    if (!KINDS.some(({ name }) => name === kind)) throw new Error(`No kind is called ${kind}.`)
    return open(join(this.#folder, `${kind}.jsonl`), 'wx', 0o600)
  }
}
