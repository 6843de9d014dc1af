import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmail } from '../lib/formats.ts'
import type { Mail, Transport } from './deliver.ts'

/**
 * Puts each mail as `<id>.eml` into a folder, for whoever runs the server without a mail service. The file
 * is there whole or not at all, and a repeated delivery replaces it.
 */
export const folderTransport = (folder: string): Transport => ({
  async deliver(mail) {
    const message = await compose(mail)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await replaceFile(folder, `${mail.id}.eml`, message)
  },
})

/** The message as it is sent, RFC 5322. Error when recipient or sender is not exactly one address (CHECKS S28). */
async function compose(mail: Mail): Promise<Buffer> {
  if (!isEmail(mail.recipient)) throw new Error('The recipient is not an address.')
  if (mail.sender && !isEmail(mail.from.address)) throw new Error('The sender is not an address.')
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { message } = await composer.sendMail({
    from: mail.from,
    ...(mail.sender && { sender: mail.sender }),
    envelope: { from: (mail.sender ?? mail.from).address, to: mail.recipient },
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: mail.date,
  })
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

/** Makes the new name survive a loss of power. Windows cannot, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using(await open(folder, 'r'), (file) => file.sync())
}

async function using(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
