import { randomFillSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { transaction, type Context } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { databaseOptions } from '../src/open.ts'
import { createDeployment, updateDeployment } from '../src/deployments/versions/service.ts'
import { pluginZip } from '../test/archives.ts'
import { signed, type Signer } from '../test/security/signing.ts'
import { licensesFolder, type LicensesFolder } from './licenses-seed.ts'
import type { Call } from './load.ts'
import { benchContext } from './seed.ts'

export const MB = 1_000_000
/** Versions of the product, of which the installs have the last. */
const VERSIONS = 20
const LAST = `1.0.${VERSIONS}`

export interface ReleasedFolder extends LicensesFolder {
  /** Of the last version, whose archive has `downloadBytes` or a little more. */
  readonly tag: string
}

/** A data folder with this many installs, whose product has versions with an archive. */
export async function releasedFolder(installs: number, downloadBytes: number): Promise<ReleasedFolder> {
  const made = await licensesFolder(installs / 2)
  const ctx = await benchContext(made.environment)
  try {
    const archive = await archiveOf(downloadBytes, LAST)
    const received = await ctx.storage.receive(once(archive), archive.length)
    await ctx.storage.keep(received)
    let tag = ''
    for (let n = 1; n <= VERSIONS; n++)
      tag = await addVersion(ctx, made, { version: `1.0.${n}`, ...received })
    return { ...made, tag }
  } finally {
    await ctx.database.close()
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}

const addVersion = (
  ctx: Context,
  { seeded }: LicensesFolder,
  { version, sha256, size }: { version: string; sha256: string; size: number },
): Promise<string> =>
  transaction(ctx, async (tx) => {
    const scope = systemScope(seeded)
    const { id } = await createDeployment(tx, scope, {
      slug: 'example',
      premium_slug: 'example',
      version,
      sdk_version: '2.13.4',
      requires_platform_version: '6.1',
      requires_programming_language_version: '7.4',
      tested_up_to_version: '6.9',
      free_file: sha256,
      free_size: size,
      premium_file: sha256,
      premium_size: size,
      readme: null,
      build_report: null,
      filename: 'example.zip',
    })
    await updateDeployment(tx, scope, Number(id), { release_mode: 'released' })
    return id
  })

const PART = 5 * MB

/** The archive of a plugin with files that do not pack, of this many bytes and a little more. */
export function archiveOf(bytes: number, version: string): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(bytes / PART) }, (_, n) => [
    `example/assets/${n}.bin`,
    randomFillSync(Buffer.alloc(Math.min(PART, bytes - n * PART))),
  ])
  return pluginZip({ version, files: Object.fromEntries(parts) as Record<string, Buffer> })
}

/** An archive of `archiveOf` as a file of a folder; its path. */
export async function archiveIn(folder: string, bytes: number, version: string): Promise<string> {
  const file = join(folder, `example-${version}.zip`)
  await writeFile(file, await archiveOf(bytes, version))
  return file
}

/** Update checks of the first so many installs, each signed with its keys as the WordPress client signs. */
export async function checksOf({ environment }: LicensesFolder, count: number): Promise<Call[]> {
  const ctx = await benchContext(environment)
  await ctx.database.close()
  const options = databaseOptions(ctx.config)
  const file = 'file' in options ? options.file : ''
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare('select id, public_key, secret_key from installs where id <= ? order by id')
    .all(count)
  database.close()
  const date = new Date().toUTCString()
  const query = `is_premium=true&newer_than=${LAST}&include_upgrade_notice=true&sdk_version=2.13.4`
  return rows.map((row) => {
    const signer: Signer = {
      id: Number(row['id']),
      publicKey: String(row['public_key']),
      secretKey: ctx.keys.open(String(row['secret_key']), 'installs.secret_key'),
    }
    const path = `/v1/installs/${signer.id}/updates/latest.json?${query}`
    const { headers } = signed(signer, { method: 'GET', path }, { date, signedType: null })
    return { method: 'GET', path, headers: headers as Record<string, string> }
  })
}
