import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations, refusals } from '../src/app.ts'
import { openApiDocument } from '../src/http/openapi.ts'

/** Where the hash of the document stands, so that a change of the interface is seen as one; `npm run openapi` writes it. */
export const HASH_FILE = join(import.meta.dirname, '../docs/openapi.sha256')

/** What stands in `HASH_FILE` for a document. */
export const hashOf = (document: object): string => `${hash('sha256', JSON.stringify(document))}\n`

/** `node tools/openapi.ts [file]`: writes the hash, and into `file` the document itself. */
async function main([file]: readonly string[]): Promise<void> {
  const document = openApiDocument(operations, { baseUrl: '', refusals })
  await writeFile(HASH_FILE, hashOf(document))
  if (file !== undefined) await writeFile(file, `${JSON.stringify(document, null, 2)}\n`)
}

if (import.meta.main) await main(process.argv.slice(2))
