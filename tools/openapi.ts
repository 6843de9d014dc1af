import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { operations } from '../src/app.ts'
import { openApiDocument } from '../src/http/openapi.ts'

/** `node tools/openapi.ts [--check]`: writes docs/openapi.json, or fails when it is not what the code says. */
const file = resolve(import.meta.dirname, '../docs/openapi.json')

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const style = await resolveConfig(file)
  const document = JSON.stringify(openApiDocument(operations, { baseUrl: '' }), null, 2)
  const text = await format(document, { ...style, filepath: file })
  if (!values.check) {
    await writeFile(file, text)
    return 0
  }
  if (text === (await readFile(file, 'utf8').catch(() => ''))) return 0
  console.log('docs/openapi.json is not what the operations say; run `npm run openapi`.')
  return 1
}

process.exitCode = await main()
