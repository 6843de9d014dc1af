import type { SendMailOptions } from 'nodemailer'
import { isEmail, isHttpUrl } from '../lib/formats.ts'
import type { Mail } from './deliver.ts'

/** Makes nodemailer read no file and no address, whatever a mail says. */
export const NO_ACCESS = { disableFileAccess: true, disableUrlAccess: true } as const

/**
 * A mail as nodemailer takes it. It is sent by this server, which the envelope says too, whoever it is from. Error
 * when recipient, sender or who is answered is not exactly one address (`docs/security-checks.md` S28).
 */
export function composed(mail: Mail): SendMailOptions {
  if (!isEmail(mail.recipient)) throw new Error('The recipient is not an address.')
  if (mail.sender && !isEmail(mail.from.address)) throw new Error('The sender is not an address.')
  if (mail.replyTo && !isEmail(mail.replyTo.address)) throw new Error('Who is answered has no address.')
  return {
    from: { ...mail.from },
    ...(mail.sender && { sender: { ...mail.sender } }),
    ...(mail.replyTo && { replyTo: { ...mail.replyTo } }),
    envelope: { from: (mail.sender ?? mail.from).address, to: mail.recipient },
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: mail.files.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
    messageId: mail.messageId,
    date: mail.date,
    headers: headersOf(mail),
  }
}

/** That nobody has typed it, and the one click after which no more like it come (RFC 3834, 8058). */
function headersOf({ unsubscribe }: Mail): Record<string, string> {
  const automatic = { 'Auto-Submitted': 'auto-generated' }
  if (unsubscribe === null || !isHttpUrl(unsubscribe) || /[<>]/.test(unsubscribe)) return automatic
  return {
    ...automatic,
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
