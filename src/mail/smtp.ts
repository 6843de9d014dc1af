import type { SmtpSettings } from '../lib/mail-settings.ts'
import { SECOND } from '../lib/time.ts'
import { composed, NO_ACCESS } from './compose.ts'
import { MailPutOff, MailRefused, type Transport } from './deliver.ts'

/** As many as are delivered at once. */
const CONNECTIONS = 5

/** How long one answer of the server may take, in milliseconds. */
interface Patience {
  readonly connectMs: number
  readonly answerMs: number
}

const PATIENCE: Patience = { connectMs: 10 * SECOND, answerMs: 20 * SECOND }

/**
 * Hands each mail to a server, over a few connections that are kept until `close`. The certificate is always checked,
 * against what Node trusts (`NODE_EXTRA_CA_CERTS` adds to it). Each delivery is one attempt: what failed is tried again
 * by who calls, with the same Message-ID.
 */
export function smtpTransport(settings: SmtpSettings, patience: Patience = PATIENCE): Transport {
  let opening: ReturnType<typeof open> | undefined
  return {
    reachesPeople: true,
    async deliver(mail, signal) {
      const options = composed(mail)
      opening ??= open(settings, patience)
      try {
        await (await opening).sendMail({ ...options, signal })
      } catch (error) {
        throw verdictOf(error) ?? error
      }
    },
    close() {
      void opening?.then((pool) => pool.close({ force: true }))
      opening = undefined
    },
  }
}

/** The library is loaded with the first mail. */
async function open({ host, port, security, login }: SmtpSettings, patience: Patience) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: patience.connectMs,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.answerMs,
    socketTimeout: patience.answerMs,
    ...NO_ACCESS,
  })
}

interface SmtpError extends Error {
  readonly responseCode?: number
  readonly command?: string
  readonly response?: string
}

/** Said of us wherever they come: closing down, no login, one that does not suffice, no encryption (RFC 4954). */
const OF_US = [421, 454, 530, 534, 535, 538]

/** What the server says of recipient or content; null: nothing, as what it says of us is ours to mend. */
function verdictOf(error: unknown): MailRefused | MailPutOff | null {
  if (!(error instanceof Error)) return null
  const { responseCode = 0, command, response = '' } = error as SmtpError
  if (command !== 'RCPT TO' && command !== 'DATA') return null
  if (responseCode < 400 || OF_US.includes(responseCode)) return null
  if (responseCode < 500) return new MailPutOff(response)
  // 5.7 is policy: the mailbox may well be there (RFC 3463).
  const isBounce = command === 'RCPT TO' && !/^5\d\d[ -]5\.7\./.test(response)
  return new MailRefused(isBounce ? 'bounce' : 'dropped', response)
}
