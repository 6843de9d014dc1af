import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Cli } from '../cli.ts'
import { pathArgument } from '../arguments.ts'

/** A body of JSON, or, with files, of parts: each file by its name, and the rest as one of JSON. */
export async function formOf(
  cli: Cli,
  files: Readonly<Record<string, unknown>>,
  body: object,
): Promise<object> {
  const named = Object.entries(files)
  if (named.length === 0) return body
  const form = new FormData()
  form.set('data', JSON.stringify(body))
  for (const [name, path] of named) {
    const file = pathArgument(String(path), cli)
    form.set(name, new Blob([await readFile(file)]), basename(file))
  }
  return form
}
