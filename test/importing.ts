import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestApp, type Reply, type TestApp, type TestOptions } from './app.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import { zipOf } from './archives.ts'
import { asDeveloper, type CallAs } from './callers.ts'
import type { Files } from './moved-base.ts'
import { FIXTURES } from './platform-imports.ts'

/** A server of today, so that what is signed on another one fits, and its owner. */
export async function importingApp(name: string, options: TestOptions = {}) {
  const app = await startTestApp(name, { at: Date.now(), ...options })
  return { app, owner: await asDeveloper(app), upload: await uploading(app) }
}

/** Asks for an import with a file, as a form, or with a file of methods of payment called `methods.csv`, or both. */
export type Upload = (
  file: Buffer | null,
  more?: Readonly<Record<string, string>>,
  methods?: Buffer,
) => Promise<Reply>

/** Uploads files as the owner of the account. */
async function uploading(app: TestApp): Promise<Upload> {
  const { id } = app.seller.developer
  const { access } = await app.write((tx) => issueAccessToken(tx, { developerId: id, userId: null }))
  return async (file, { name = 'export.zip', methodsName = 'methods.csv', ...fields } = {}, methods) => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ source: 'files', ...fields })) form.append(field, value)
    if (file) form.append('file', new Blob([new Uint8Array(file)]), name)
    if (methods) form.append('payment_methods', new Blob([new Uint8Array(methods)]), methodsName)
    const encoded = new Response(form)
    const headers = {
      authorization: `FSA ${id}:${access}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    }
    const body = Buffer.from(await encoded.arrayBuffer())
    return app.call('POST', `/developers/${id}/imports.json`, { token: null, headers, body })
  }
}

/** Rows as JSON lines. */
export const linesOf = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** A ZIP file of the files of kinds. */
export const zipOfRows = (files: Files): Promise<Buffer> =>
  zipOf(Object.fromEntries(Object.entries(files).map(([kind, rows]) => [`out/${kind}.jsonl`, linesOf(rows)])))

/** An import as it is read now. */
export const readImport = async (by: CallAs, id: string): Promise<Reply['json']> =>
  (await by('GET', `/imports/${id}.json`)).json

/** The exports of a shop on a platform as one file, in a folder; of another shop the products have names of their own. */
export async function zipOfFolder(platform: string, shop = ''): Promise<Buffer> {
  const folder = join(FIXTURES, platform)
  const files = (await readdir(folder)).map(async (file) => [
    `shop/${file}`,
    file === 'products.json'
      ? named(await readFile(join(folder, file), 'utf8'), shop)
      : await readFile(join(folder, file)),
  ])
  return zipOf(Object.fromEntries(await Promise.all(files)))
}

const named = (products: string, shop: string) => products.replaceAll('"name": "', `"name": "${shop}`)
