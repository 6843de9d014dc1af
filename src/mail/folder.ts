import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../lib/sync-folder.ts'
import { composed, NO_ACCESS } from './compose.ts'
import type { Mail, Transport } from './deliver.ts'

/**
 * Puts each mail as `<id>.eml` into a folder, for whoever runs the server without a mail service. The file
 * is there whole or not at all, and a repeated delivery replaces it.
 */
export const folderTransport = (folder: string) =>
  ({
    reachesPeople: false,
    close() {},
    async deliver(mail: Mail) {
      const message = await compose(mail)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(folder, `${mail.id}.eml`, message)
    },
  }) satisfies Transport

/** The message as it is sent, RFC 5322. */
async function compose(mail: Mail): Promise<Buffer> {
  const options = composed(mail)
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...NO_ACCESS })
  const { message } = await composer.sendMail(options)
  if (!Buffer.isBuffer(message)) throw new Error('The message was not composed.')
  return message
}

async function replaceFile(folder: string, name: string, content: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}`)
  try {
    await using(await open(temporary, 'wx', 0o600), async (file) => {
      await file.writeFile(content)
      await file.sync()
    })
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function using(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
