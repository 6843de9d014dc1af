import { isIP } from 'node:net'
import { ConfigError, badSetting } from './config-error.ts'
import { isCleanText, isEmail } from './formats.ts'

/** How the server that takes our mail is reached. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before anything is said, or `none` in clear; both check the certificate. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly login: { readonly user: string; readonly password: string } | null
}

export interface MailSettings {
  /** Null: mail is put into a folder. */
  readonly smtp: SmtpSettings | null
  /** Who mail is from that is from no product; null: `no-reply` at the host of this server. */
  readonly from: { readonly name: string; readonly address: string } | null
}

/** Variables of the environment, one at a time; null for one that is not set. */
interface Variables {
  text(name: string): string | null
  integer(name: string, limits: { min: number; max: number; otherwise: number }): number
}

const SECURITY = ['starttls', 'tls', 'none'] as const
type Security = SmtpSettings['security']

/** Reads `SMTP_URL`, or `SMTP_HOST` and its companions, and `MAIL_FROM`; ConfigError, which never tells a password. */
export function readMailSettings(read: Variables): MailSettings {
  const url = read.text('SMTP_URL')
  const host = read.text('SMTP_HOST')
  if (url !== null && host !== null) {
    throw new ConfigError('SMTP_URL must not be set together with SMTP_HOST, got both')
  }
  const smtp = url === null ? ofParts(read, host) : ofUrl(read, url)
  if (smtp?.login && smtp.security === 'none' && !isThisMachine(smtp.host)) {
    throw new ConfigError(
      `SMTP_SECURITY must be starttls or tls where a password is sent to another machine, got 'none'`,
    )
  }
  return { smtp, from: readFrom(read) }
}

function ofParts(read: Variables, host: string | null): SmtpSettings | null {
  const security = readSecurity(read) ?? 'starttls'
  const port = read.integer('SMTP_PORT', { min: 1, max: 65_535, otherwise: portOf(security) })
  const user = read.text('SMTP_USER')
  const password = read.text('SMTP_PASSWORD')
  if ((user === null) !== (password === null)) {
    throw new ConfigError('SMTP_USER and SMTP_PASSWORD must be set together, got one of them')
  }
  if (host === null) return null
  if (!isHost(host)) throw badSetting('SMTP_HOST', 'a host name or an address', host)
  return { host, port, security, login: user === null || password === null ? null : { user, password } }
}

function ofUrl(read: Variables, text: string): SmtpSettings {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '' || isMore(url)) {
    throw new ConfigError(
      'SMTP_URL must be an address such as smtps://user:password@mail.example.com:465, got something else',
    )
  }
  const security = url.protocol === 'smtps:' ? 'tls' : (readSecurity(read) ?? 'starttls')
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? portOf(security) : Number(url.port),
    security,
    login:
      url.username === '' && url.password === ''
        ? null
        : { user: decoded(url.username), password: decoded(url.password) },
  }
}

const isMore = ({ pathname, search, hash }: URL) =>
  !['', '/'].includes(pathname) || search !== '' || hash !== ''

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ConfigError('SMTP_URL must have user and password percent-encoded, got something else')
  }
}

function readSecurity(read: Variables): Security | null {
  const text = read.text('SMTP_SECURITY')
  if (text === null) return null
  const security = SECURITY.find((one) => one === text)
  if (!security) throw badSetting('SMTP_SECURITY', `one of ${SECURITY.join(', ')}`, text)
  return security
}

const portOf = (security: Security) => (security === 'tls' ? 465 : 587)

const isHost = (text: string) => /^[\w.:-]{1,253}$/.test(text)

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** `a@example.com` or `Name <a@example.com>`. */
function readFrom(read: Variables): MailSettings['from'] {
  const text = read.text('MAIL_FROM')
  if (text === null) return null
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? []
  if (!isEmail(address) || !isCleanText(name)) {
    throw badSetting('MAIL_FROM', 'an address such as shop@example.com or Shop <shop@example.com>', text)
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}
