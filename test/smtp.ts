import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { SmtpSettings } from '../src/lib/mail-settings.ts'

export interface Received {
  readonly from: string
  readonly to: string
  readonly user: string | undefined
  readonly isEncrypted: boolean
  /** Header → value, folded lines joined. */
  readonly headers: ReadonlyMap<string, string>
  /** Names of the headers in their order, as often as they stand. */
  readonly names: readonly string[]
  readonly body: string
}

/** What the server says to a recipient or to a whole message; undefined: it takes it. */
type Refuse = (mail: { readonly to: string; readonly body?: string }) => string | undefined

export interface SmtpOptions {
  readonly rcpt?: Refuse
  readonly data?: Refuse
  /** Runs when a whole message is there, before it is answered. */
  onMessage?(server: TestSmtp): Promise<void> | void
  readonly server?: SMTPServerOptions
}

export interface TestSmtp {
  readonly settings: SmtpSettings
  readonly received: Received[]
  /** Ends every connection without a word; none that is encrypted. */
  drop(): void
  close(): Promise<void>
}

/** A real mail server on loopback, without encryption unless `server` has a key. */
export async function startSmtp(options: SmtpOptions = {}): Promise<TestSmtp> {
  const received: Received[] = []
  const answer = async (refusal: string | undefined, done: (error: Error | null) => void) => {
    await options.onMessage?.(started)
    done(errorOf(refusal))
  }
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => done(errorOf(options.rcpt?.({ to: address }))),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const mail = read(Buffer.concat(chunks).toString(), session)
        const refusal = options.data?.(mail)
        if (refusal === undefined) received.push(mail)
        void answer(refusal, done)
      })
    },
    ...options.server,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const started: TestSmtp = {
    settings: { host: '127.0.0.1', port, security: 'none', login: null },
    received,
    drop,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return started
}

/** `550 5.1.1 No such mailbox` as an answer. */
function errorOf(answer: string | undefined): Error | null {
  if (answer === undefined) return null
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })
}

type Session = Parameters<NonNullable<SMTPServerOptions['onData']>>[1]

function read(raw: string, { envelope, user, secure }: Session): Received {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.map(
    (line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)] as const,
  )
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address).join(','),
    user: user === undefined ? undefined : String(user),
    isEncrypted: secure,
    headers: new Map(headers),
    names: headers.map(([name]) => name),
    body: raw.slice(head.length + 4),
  }
}

/** Of 127.0.0.1 and localhost, signed by itself; its key is no secret. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkOa5KFveuDIVIHFX
LT9kKI/mQRcTDUCpgRw6kE6Rh3qhRANCAASSpkA7NoPYax5L9ignGfWecu7xvnXV
tAWAlBK983bBOZYzbiPfHGvGjn49dUqhT1ghPzXoM/zOv4q7LPyHCssG
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUFW1aQxZYszgziXAckjBGTN3ghQ8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwMTMwM1oYDzIxMjYxMDI4
MjAxMzAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASSpkA7NoPYax5L9ignGfWecu7xvnXVtAWAlBK983bBOZYzbiPfHGvG
jn49dUqhT1ghPzXoM/zOv4q7LPyHCssGo28wbTAdBgNVHQ4EFgQU7uAEzLT6DisU
Cm+14Fsw/VqFB0UwHwYDVR0jBBgwFoAU7uAEzLT6DisUCm+14Fsw/VqFB0UwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgRlJicODVTmN74bzbUIzmocG4ymZUuaPaeQh83op+wvICIE7K
BdE1p+bcY3A3DgHObwBH5nvR23wGhhZ0O/op5YtF
-----END CERTIFICATE-----
`,
}
