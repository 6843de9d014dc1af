import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { hashPassword } from '../src/lib/password.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import type { CallOptions, Method, Reply, TestApp } from './app.ts'

export const PASSWORD = 'correct horse battery staple'
/** With this in the configuration a test says in X-Forwarded-For where a request comes from. */
export const FROM_ANYWHERE = { trustProxy: ['127.0.0.1', '::1'] }

export interface LoginOptions {
  /** Default: the account of the app's seller; null: the person alone, whatever accounts it has. */
  readonly account?: number | null
  readonly body?: object
  readonly from?: string
  readonly headers?: Record<string, string>
}

/** Gives a developer a password, as `keywright bootstrap` does. */
export async function setPassword(
  app: TestApp,
  id = app.seller.developer.id,
  password = PASSWORD,
): Promise<void> {
  const hash = await hashPassword(password, app.ctx.passwordCost)
  await app.write(({ db }) =>
    db.updateTable('developers').set({ password_hash: hash }).where('id', '=', id).execute(),
  )
}

/** Accepts the invitation of a member in its place, and gives it a password; its id as a person. */
export async function joinTeam(app: TestApp, memberId: string): Promise<number> {
  const { person_id: id } = await app.write(({ db, clock }) =>
    db
      .updateTable('members')
      .set({ accepted_at: clock.now() })
      .where('id', '=', Number(memberId))
      .returning('person_id')
      .executeTakeFirstOrThrow(),
  )
  await setPassword(app, id)
  return id
}

const accountPath = (app: TestApp, account = app.seller.developer.id) => `/developers/${account}`

/** One attempt to log in; without options the seller's, with the right password. */
export const tryLogin = (app: TestApp, { account, body, from, headers }: LoginOptions = {}): Promise<Reply> =>
  app.call('POST', account === null ? '/login.json' : `${accountPath(app, account)}/login.json`, {
    token: null,
    body: { email: 'seller@example.com', password: PASSWORD, ...body },
    headers: { ...(from !== undefined && { 'x-forwarded-for': from }), ...headers },
  })

export interface Login {
  readonly reply: Reply
  /** The value of the cookie. */
  readonly token: string
  readonly cookie: string
  readonly csrf: string
  /** A call with the value in X-Keywright-Session, as tools do; `path` begins after the account. */
  call(method: Method, path: string, options?: CallOptions): Promise<Reply>
  /** A call with the cookie and the header against forgery, as the dashboard does. */
  browse(method: Method, path: string, options?: CallOptions): Promise<Reply>
}

/** Logs in, and is let in. */
export async function logIn(app: TestApp, options: LoginOptions = {}): Promise<Login> {
  const reply = await tryLogin(app, options)
  assert.equal(reply.status, 200, reply.text)
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const token = cookie.slice(cookie.indexOf('=') + 1)
  const csrf = reply.headers.get('x-keywright-csrf') ?? ''
  const account = options.account === null ? '' : accountPath(app, options.account)
  const sending =
    (own: Record<string, string>) =>
    (method: Method, path: string, { headers, ...more }: CallOptions = {}) =>
      app.call(method, account + path, { token: null, ...more, headers: { ...own, ...headers } })
  return {
    reply,
    token,
    cookie,
    csrf,
    call: sending({ 'x-keywright-session': token }),
    browse: sending({ cookie, 'x-keywright-csrf': csrf }),
  }
}

/** The code an authenticator app shows at this time. */
export const codeAt = (secret: string, timestamp: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })

export interface Enrolled {
  readonly secret: string
  readonly backupCodes: string[]
}

/** Switches two-factor on for whoever is logged in; the code of the present step is then used. */
export async function enroll(app: TestApp, { call }: Login): Promise<Enrolled> {
  const { json, text } = await call('POST', '/two_factor.json', { body: { current_password: PASSWORD } })
  assert.ok(json.secret, text)
  const code = codeAt(json.secret, app.ctx.clock.real())
  const confirmed = await call('POST', '/two_factor/confirm.json', { body: { code } })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { secret: json.secret, backupCodes: confirmed.json.backup_codes }
}

/** What the audit log says of an action, oldest first. */
export async function auditOf(app: TestApp, action: string) {
  const rows = await app.ctx.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as Record<string, unknown> }))
}

/** The header of an access token that is bound to a person of the account. */
export async function accessHeader(
  app: TestApp,
  personId: number,
): Promise<{ readonly authorization: string }> {
  const { id } = app.seller.developer
  const owner = { developerId: id, userId: null, personId }
  const { access } = await app.write((tx) => issueAccessToken(tx, owner))
  return { authorization: `FSA ${id}:${access}` }
}

let lastAddress = 0

/** An address nobody has used before, for `from`. */
export const anywhere = (): string => `198.51.${(lastAddress >> 8) & 255}.${lastAddress++ & 255}`

/** Fails unless both take about as much time of the processor, each at its fastest. */
export async function takeAsLong(...works: readonly [() => Promise<unknown>, () => Promise<unknown>]) {
  const fastest = [Infinity, Infinity]
  for (let round = 0; round < 15; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(start)
      fastest[index] = Math.min(fastest[index] ?? Infinity, (user + system) / 1000)
    }
  }
  assert.ok(Math.max(...fastest) / Math.min(...fastest) < 1.6, `${fastest.join(' ms, ')} ms`)
}
