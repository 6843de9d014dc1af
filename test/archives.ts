import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { Context, TxContext } from '../src/context.ts'
import type { Scope } from '../src/access/scope.ts'
import { createDeployment, updateDeployment } from '../src/deployments/versions/service.ts'
import type { Reply, TestApp } from './app.ts'

type Content = string | Buffer

/** A ZIP file of these names and contents; a name that ends in a slash is a folder. */
export async function zipOf(
  files: Readonly<Record<string, Content>>,
  options: { readonly mode?: number; readonly compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  const mtime = new Date(Date.UTC(2026, 0, 1))
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name, { mtime })
    else zip.addBuffer(Buffer.from(content), name, { mtime, ...options })
  }
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

interface PluginOptions {
  readonly version?: string
  readonly readme?: boolean
  readonly sdk?: boolean
  /** Beside the main file. */
  readonly files?: Readonly<Record<string, Content>>
}

/** A WordPress plugin in its folder `example`, with readme and SDK. */
export const pluginZip = ({ version = '1.0', readme = true, sdk = true, files = {} }: PluginOptions = {}) =>
  zipOf({
    'example/example.php': `<?php\n/**\n * Plugin Name: Example\n * Version: ${version}\n * Requires at least: 6.1\n * Requires PHP: 7.4\n */\nif ( fs()->is__premium_only() ) { pro(); }\n`,
    ...(readme && {
      'example/readme.txt': `=== Example ===\nTested up to: 6.9\n\n== Description ==\nIt <b>works</b>.\n\n== Upgrade Notice ==\n= ${version} =\nUpgrade now.\n`,
    }),
    ...(sdk && { 'example/freemius/start.php': "<?php\n\t$this_sdk_version = '2.13.4';\n" }),
    ...files,
  })

const BOUNDARY = '----5f2b'

/** A body of parts, as the PHP client sends it: bare line feeds, all arguments in `data`, no last line end. */
export function uploadOf(
  file: Buffer | null,
  {
    data,
    fields = {},
    lineEnd = '\n',
  }: { data?: object; fields?: Record<string, string>; lineEnd?: string } = {},
) {
  const part = (name: string, content: Content, more = '') =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}${lineEnd}Content-Disposition: form-data; name="${name}"${more}${lineEnd}${lineEnd}`,
      ),
      Buffer.from(content),
      Buffer.from(lineEnd),
    ])
  const body = Buffer.concat([
    ...(data ? [part('data', JSON.stringify(data))] : []),
    ...Object.entries(fields).map(([name, text]) => part(name, text)),
    ...(file ? [part('file', file, `; filename="example.zip"${lineEnd}Content-Type: application/zip`)] : []),
    Buffer.from(`--${BOUNDARY}--`),
  ])
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}

type Product = { readonly id: number; readonly token: string }

/** Uploads an archive over HTTP. */
export const upload = (
  app: TestApp,
  file: Buffer | null,
  options: Parameters<typeof uploadOf>[1] & { readonly product?: Product } = {},
): Promise<Reply> => {
  const { id, token } = options.product ?? app.seller.product
  return app.call('POST', `/products/${id}/tags.json`, { ...uploadOf(file, options), token })
}

/** Uploads a plugin and releases it as it says; its id. */
export async function release(
  app: TestApp,
  version: string,
  change: object = { release_mode: 'released' },
  product: Product = app.seller.product,
): Promise<string> {
  const uploaded = await upload(app, await pluginZip({ version }), { product })
  if (uploaded.status !== 200) throw new Error(uploaded.text)
  const { id } = uploaded.json
  const path = `/products/${product.id}/tags/${id}.json`
  const reply = await app.call('PUT', path, { body: change, token: product.token })
  if (reply.status !== 200) throw new Error(reply.text)
  return id
}

/** An archive of one file that says nothing of a version. */
export const SMALL_ZIP = Buffer.from(
  'UEsDBBQAAAgAAAAAIVy379yDAQAAAAEAAAAHAAAAYS9hLnR4dDFQSwECPwMUAAAIAAAAACFct+/cgwEAAAABAAAABwAJAAAAAAAAAAAAtIEAAAAAYS9hLnR4dFVUBQADALlVaVBLBQYAAAAAAQABAD4AAAAmAAAAAAA=',
  'base64',
)

/** Puts the small archive into the storage, where versions that are made without an upload have it. */
export async function storeSmallZip({ storage }: Pick<Context, 'storage'>): Promise<void> {
  async function* chunks() {
    yield SMALL_ZIP
  }
  await storage.keep(await storage.receive(chunks(), SMALL_ZIP.length))
}

let versions = 0

/** A version with both builds, as they are after an upload and, unless it is to be pending, a release; its id. */
export async function createVersion(
  tx: TxContext,
  scope: Scope,
  mode: 'pending' | 'released' = 'pending',
): Promise<string> {
  const sha256 = createHash('sha256').update(SMALL_ZIP).digest('hex')
  const { id } = await createDeployment(tx, scope, {
    slug: 'small',
    premium_slug: 'small-premium',
    version: `2.0.${++versions}`,
    sdk_version: '',
    requires_platform_version: null,
    requires_programming_language_version: null,
    tested_up_to_version: null,
    free_file: sha256,
    free_size: SMALL_ZIP.length,
    premium_file: sha256,
    premium_size: SMALL_ZIP.length,
    readme: null,
    build_report: null,
    filename: 'small.zip',
  })
  if (mode !== 'pending') await updateDeployment(tx, scope, Number(id), { release_mode: mode })
  return id
}
