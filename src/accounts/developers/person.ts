import type { ReadContext, TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { latelySince } from '../../db/has-come.ts'
import { audit } from '../../access/audit.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { invalid, notFound, Refused, tooManyRequests, unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import {
  checkOwnPassword,
  isPasswordOf,
  refusedPassword,
  wrongCredentials,
  type CheckedPassword,
} from './passwords.ts'
import {
  countAddressChanges,
  endAddressChanges,
  findAddressChange,
  findDeveloperByEmail,
  holdDeveloper,
  insertAddressChange,
  replaceOwnAddress,
  updateDeveloper,
  useAddressChange,
} from './person-queries.ts'
import { DEVELOPER, type DeveloperRow } from './developer.entity.ts'
import { toPerson } from './to-person.ts'
import { presentDeveloper, type Developer, type PersonChange } from './schema.ts'
import { findDeveloper } from '../sessions/session-rows.ts'

const LINK_MS = DAY
const CHANGES_AN_HOUR = 5

/** Path of the page that a mailed link opens; the token follows. */
export const OWN_EMAIL_PATH = '/confirm-own-email/'

const taken = () => invalid('developer_email_taken', 'There is a developer with this address.', 'email')

/** Another address needs the password, so that an open session alone is no way to take the account over. */
export async function checkPersonChange(body: PersonChange, problems: Problems): Promise<void> {
  if (body.email === undefined || body.current_password !== undefined) return
  problems.missing.push({ field: 'current_password', message: 'is required to change email' })
}

/** The password, where one was given, compared before the transaction. */
export const preparePersonChange = async (
  ctx: ReadContext,
  scope: Scope,
  { current_password: password }: PersonChange,
): Promise<CheckedPassword | null> => (password === undefined ? null : checkOwnPassword(ctx, scope, password))

/**
 * Changes one's own name, picture, language and time zone at once. Another address gets a mail with a link, and is one's own when that was
 * followed. 401 for a wrong password, 400 `developer_email_taken`, 429 after five addresses in an hour; then nothing
 * else is changed either.
 */
export async function changePerson(
  ctx: TxContext,
  scope: Scope,
  body: PersonChange,
  password: CheckedPassword | null,
): Promise<Developer | Refused> {
  const refusal = password && (await refusedPassword(ctx, scope, password))
  if (refusal) return refusal
  await holdDeveloper(ctx.db, scope.actor.id)
  if (password?.ok && !(await isPasswordOf(ctx, scope.actor.id, password)))
    return new Refused(wrongCredentials())
  const person = await getPerson(ctx, scope)
  const asked = await askForOwnAddress(ctx, person, body.email)
  if (asked) return asked
  const { email: _, ...given } = DEVELOPER.read('update', body)
  if (Object.keys(given).length > 0) {
    await updateDeveloper(ctx.db, person.id, { ...given, updated: ctx.clock.now() })
  }
  return presentDeveloper(await getPerson(ctx, scope))
}

async function getPerson(ctx: ReadContext, { actor }: Scope): Promise<DeveloperRow> {
  const person = await findDeveloper(ctx.db, actor.id)
  if (!person) throw unauthorized()
  return person
}

async function askForOwnAddress(
  ctx: TxContext,
  person: DeveloperRow,
  email: string | undefined,
): Promise<Refused | null> {
  if (email === undefined || email === person.email) return null
  const now = ctx.clock.real()
  const asked = await countAddressChanges(ctx.db, person.id, latelySince(now - HOUR, now))
  if (asked >= CHANGES_AN_HOUR) return new Refused(tooManyRequests(HOUR / SECOND))
  await endAddressChanges(ctx.db, person.id, toUtcTime(now))
  const other = await findDeveloperByEmail(ctx.db, fold(email))
  const isTaken = other !== undefined && other.id !== person.id
  const token = newOpaqueToken()
  await insertAddressChange(ctx.db, {
    developer_id: person.id,
    email,
    email_folded: fold(email),
    replaces: fold(person.email),
    token_hash: hashToken(token),
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
    used_at: isTaken ? toUtcTime(now) : null,
  })
  if (isTaken) return new Refused(taken())
  await queueMail(ctx, {
    ...toPerson(person),
    recipient: email,
    template: 'confirm_own_email',
    values: { server: serverName(ctx), link: `${ctx.baseUrl}${OWN_EMAIL_PATH}${token}` },
  })
  return null
}

const serverName = ({ baseUrl }: Pick<ReadContext, 'baseUrl'>) => new URL(baseUrl).host

/** What a link is about; reading it uses nothing up (`docs/decisions.md` 3.10). 404 when it is used or too old. */
export async function readAddressChange(ctx: ReadContext, token: string) {
  const found = await findAddressChange(ctx.db, hashToken(token), ctx.clock.now())
  if (!found) throw notFound('link')
  return { ...found, server: serverName(ctx) }
}

/**
 * Gives a person the address that a link was mailed to, and tells the one that it had. 404 when the link was used or
 * is too old, or the person has another address by now; 400 `developer_email_taken` when somebody has got it meanwhile.
 */
export async function confirmOwnAddress(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const found = await readAddressChange(ctx, token)
  const now = ctx.clock.now()
  if (!(await useAddressChange(ctx.db, found.id, now))) throw notFound('link')
  const { developer_id: id, email, email_folded, replaces } = found
  try {
    if (!(await replaceOwnAddress(ctx.db, { id, email, email_folded, replaces }, now))) throw notFound('link')
  } catch (error) {
    throw isDuplicate(error) ? taken() : error
  }
  await queueMail(ctx, {
    ...toPerson({ ...found, id, email: found.old_email }),
    template: 'own_email_changed',
    values: { server: found.server, to: email },
  })
  await audit(ctx, {
    action: 'email.changed',
    actor: { kind: 'developer', id, credential: 'link' },
    productId: null,
    ...from,
    details: { change: found.id },
  })
}
