import { createReadStream } from 'node:fs'
import { csvRecords } from '../../lib/read-csv.ts'
import type { Kind } from '../kinds/column.ts'
import { ofCells } from '../read-row.ts'
import { ofCell } from './cells.ts'

/** A row of a file as it stands there, and in which line it begins. */
export interface Line {
  readonly line: number
  /** What the line says; undefined where it is not what its file should have. */
  readonly given: unknown
}

export type Format = 'jsonl' | 'csv'

/** The rows of a file, some hundred at a time; memory does not grow with the file. */
export const readLines = (file: string, format: Format, kind: Kind, count: number): AsyncGenerator<Line[]> =>
  format === 'csv' ? linesOfCsv(file, kind, count) : linesOfJson(file, count)

async function* linesOfJson(file: string, count: number): AsyncGenerator<Line[]> {
  let lines: Line[] = []
  let number = 0
  let rest = ''
  const take = (text: string): void => {
    number++
    if (text.trim() !== '') lines.push({ line: number, given: parsed(text) })
  }
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const texts = (rest + String(chunk)).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      take(number === 0 ? text.replace(/^\uFEFF/, '') : text)
      if (lines.length < count) continue
      yield lines
      lines = []
    }
  }
  if (rest !== '') take(rest)
  if (lines.length > 0) yield lines
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

async function* linesOfCsv(file: string, kind: Kind, count: number): AsyncGenerator<Line[]> {
  let names: readonly string[] | null = null
  let lines: Line[] = []
  for await (const { line, cells } of csvRecords(createReadStream(file, { encoding: 'utf8' }))) {
    if (names === null) {
      names = cells.map((name) => name.trim())
      continue
    }
    lines.push({ line, given: rowOf(kind, names, cells) })
    if (lines.length < count) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

/** Undefined where a line has more or fewer cells than the first one. */
function rowOf(kind: Kind, names: readonly string[], cells: readonly string[]): unknown {
  if (cells.length !== names.length) return undefined
  return ofCells(kind, Object.fromEntries(names.map((name, n) => [name, ofCell(cells[n] ?? '')])))
}
