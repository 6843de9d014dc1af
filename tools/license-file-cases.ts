import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { table } from '../test/license-files/cases.ts'

/** `node tools/license-file-cases.ts`: writes the table that every verifier of license files passes. */
await writeFile(
  resolve(import.meta.dirname, '../clients/cases.json'),
  `${JSON.stringify(table(), null, 2)}\n`,
)
