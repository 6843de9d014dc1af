import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { exportAccount } from '../src/imports/export-account.ts'
import { runDue } from '../src/jobs/worker.ts'
import { writeExports } from '../src/lists/exports/write-exports-job.ts'
import type { Reply, TestApp } from './app.ts'
import { createTestFolder } from './folder.ts'
import { PASSWORD, type Login } from './logins.ts'
import { opened } from './opened-archives.ts'

export const AGAIN = { current_password: PASSWORD }

type By = Pick<Login, 'browse'>

/** Asks for all of the account to be written, as whoever is logged in. */
export const askForAll = ({ browse }: By, body: object = AGAIN): Promise<Reply> =>
  browse('POST', '/exports/account.json', { body })

/** Asks for an address of a file of the account. */
export const askForAddress = ({ browse }: By, id: string, body: object = AGAIN): Promise<Reply> =>
  browse('POST', `/exports/${id}/address.json`, { body })

/** The file at an address of a server. */
export const fetchedFrom = ({ ctx, address }: TestApp, url: string): Promise<Response> =>
  fetch(url.replace(ctx.baseUrl, address))

/** Has all of the account written; its id and the bytes of the file. */
export async function wholeAccount(app: TestApp, by: By, more: object = {}) {
  const asked = await askForAll(by, { ...AGAIN, ...more })
  assert.equal(asked.status, 202, asked.text)
  await runDue(app.ctx, [writeExports])
  const { id } = asked.json
  const { json } = await by.browse('GET', `/exports/${id}.json`)
  assert.equal(json.state, 'done', JSON.stringify(json))
  const address = await askForAddress(by, id)
  assert.equal(address.status, 200, address.text)
  const reply = await fetchedFrom(app, address.json.url)
  return { id: String(id), shown: json, reply, zip: Buffer.from(await reply.arrayBuffer()) }
}

/** The files of a ZIP file by their names. */
export async function filesOf(zip: Buffer): Promise<ReadonlyMap<string, string>> {
  const archive = await opened(zip)
  try {
    const files = new Map<string, string>()
    for (const entry of archive.entries)
      files.set(entry.name, (await buffer(await archive.stream(entry))).toString())
    return files
  } finally {
    archive.close()
  }
}

/** The files that the command writes of the account of a server, by their names. */
export async function filesOfCommand(
  { ctx, seller }: TestApp,
  format: 'csv' | 'jsonl',
): Promise<ReadonlyMap<string, string>> {
  const folder = await createTestFolder('command')
  try {
    await exportAccount(ctx, { developerId: seller.developer.id, folder, format })
    const files = new Map<string, string>()
    for (const name of (await readdir(folder)).toSorted())
      files.set(name, await readFile(join(folder, name), 'utf8'))
    return files
  } finally {
    await rm(folder, { recursive: true })
  }
}
