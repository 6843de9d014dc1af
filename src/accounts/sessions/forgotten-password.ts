import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { fold } from '../../lib/fold.ts'
import { notFound } from '../../lib/errors.ts'
import { queueMail } from '../../mail/outbox.ts'
import { toPerson } from '../developers/to-person.ts'
import { endWithPassword } from '../developers/passwords.ts'
import { afterwards } from '../../work/afterwards.ts'
import { countFailure, forgetFailures, passwordLinkLimit } from './attempts.ts'
import { findLinkState } from './login-queries.ts'
import { issuePersonToken, readPersonToken, type PersonLink } from './person-tokens.ts'
import { findPersonByEmail, updateSignedIn } from './password-rows.ts'

/** The link leads here, followed by its token. */
export const PASSWORD_PATH = '/password/'

/**
 * Mails the person of this address a link by which it chooses another password, where there is one that has a
 * password; at most so many an hour. It is done behind the answer, which is the same for every address.
 */
export function mailPasswordLink(ctx: Context, email: string): void {
  const work = () => transaction(ctx, (tx) => mailLink(tx, fold(email)))
  afterwards(ctx, work, 'a link for a forgotten password could not be mailed')
}

async function mailLink(ctx: TxContext, emailFolded: string): Promise<void> {
  const found = await findPersonByEmail(ctx.db, emailFolded)
  const person = found && (await findLinkState(ctx.db, found.id))
  if (!person || person.password_hash === null) return
  if (await countFailure(ctx, passwordLinkLimit(person.id))) return
  const token = issuePersonToken(ctx, LINK, person)
  await queueMail(ctx, {
    ...toPerson(person),
    template: 'forgotten_password',
    values: { link: `${ctx.baseUrl}${PASSWORD_PATH}${token}` },
  })
}

/** Another state after a change of the password or the address: a link works once. */
const LINK: PersonLink = {
  purpose: 'password',
  stateOf: ({ id, password_hash: hash, email }) => [id, hash, email].join(' '),
}

/** Whose password a link changes; reading it uses nothing up. 404 when it is used, too old or overtaken. */
export async function readPasswordLink(
  ctx: ReadContext,
  token: string,
): Promise<{ readonly id: number; readonly email: string; readonly passwordHash: string }> {
  const person = await readPersonToken(ctx, LINK, token)
  const passwordHash = person?.password_hash
  if (!person || typeof passwordHash !== 'string') throw notFound('link')
  return { id: person.id, email: person.email, passwordHash }
}

/**
 * Gives the owner of a link another password, once, and ends all its sessions. It logs nobody in: whoever has
 * two-factor needs its code all the same. 404 when the link works no more.
 */
export async function choosePasswordByLink(
  ctx: TxContext,
  { token, ip, requestId }: { readonly token: string; readonly ip: string; readonly requestId: string },
  hash: string,
): Promise<string> {
  const { id, email, passwordHash } = await readPasswordLink(ctx, token)
  const change = { password_hash: hash, updated: ctx.clock.now() }
  if (!(await updateSignedIn(ctx.db, { id, passwordHash }, change))) throw notFound('link')
  await endWithPassword(ctx, id, 0)
  await forgetFailures(ctx, { id, email })
  const actor = { kind: 'developer', id, credential: 'link' } as const
  await audit(ctx, { action: 'password.changed', actor, productId: null, ip, requestId, details: {} })
  return email
}
