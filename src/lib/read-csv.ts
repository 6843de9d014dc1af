/** A line of CSV, which may go over several lines of its file. */
export interface CsvRecord {
  /** The line of the file in which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * The records of a text of CSV (RFC 4180) that comes in pieces: cells between quotes may have commas, ends of lines and
 * quotes, these doubled. A byte order mark before the first and empty lines are left out.
 */
export async function* csvRecords(text: AsyncIterable<unknown>): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader()
  for await (const piece of text) yield* reader.take(String(piece))
  yield* reader.end()
}

class CsvReader {
  #cells: string[] = []
  #cell = ''
  /** `quoted`: within quotes; `closed`: after a quote that ends the cell, or is one of two. */
  #state: 'plain' | 'quoted' | 'closed' = 'plain'
  #line = 1
  #begin = 1
  #isFirst = true

  #inQuotes(char: string): void {
    if (char === '"') this.#state = 'closed'
    else this.#cell += char
    if (char === '\n') this.#line++
  }

  *take(piece: string): Generator<CsvRecord> {
    const text = this.#isFirst ? piece.replace(/^\uFEFF/, '') : piece
    this.#isFirst = false
    for (const char of text) {
      if (this.#state === 'quoted') this.#inQuotes(char)
      else if (char === '"' && (this.#state === 'closed' || this.#cell === '')) this.#quote()
      else if (char === ',') this.#endCell()
      else if (char === '\n') yield* this.#endRecord()
      else if (char !== '\r') this.#cell += char
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#cell !== '' || this.#cells.length > 0) yield* this.#endRecord()
  }

  #quote(): void {
    if (this.#state === 'closed') this.#cell += '"'
    this.#state = 'quoted'
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'plain'
  }

  *#endRecord(): Generator<CsvRecord> {
    this.#endCell()
    const cells = this.#cells
    const line = this.#begin
    this.#cells = []
    this.#line++
    this.#begin = this.#line
    if (cells.length > 1 || cells[0] !== '') yield { line, cells }
  }
}
