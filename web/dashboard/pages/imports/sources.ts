import type { ImportSource } from '../../../../src/imports/asked/schema.ts'

interface Source {
  readonly name: ImportSource
  /** What is asked for: a file, or the address of a server with keys. */
  readonly takes: 'file' | 'server'
}

/** What may be brought in, in the order in which it is offered; the words of each stand among the texts. */
export const SOURCES: readonly Source[] = [
  { name: 'files', takes: 'file' },
  { name: 'server', takes: 'server' },
]
