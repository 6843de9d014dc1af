import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../http/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { invalidFields, unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { hashPassword, passwordProblem } from '../../lib/password.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../events/record.ts'
import { sendConfirmation } from './confirm-email.ts'
import { foldedName, namesOf, type Names } from './names.ts'
import { findPersonByEmail, findUserRules, insertPerson, linkPerson } from './queries.ts'
import { presentUser, SOURCES, type User, type UserCreate } from './schema.ts'
import { getUser } from './service.ts'

/** A name, or first and last, is required (DECISIONS 3.2); a password keeps the rules of passwords. */
export async function checkUserCreate(body: UserCreate, problems: Problems): Promise<void> {
  const { first, last } = namesOf(body)
  if ((body.name ?? '').trim() === '' && !problems.has('name')) {
    for (const [field, value] of Object.entries({ first, last })) {
      if (problems.has(field)) continue
      if (value === undefined) problems.missing.push({ field, message: 'is required without a name' })
      else if (value === '') problems.malformed.push({ field, message: 'must not be empty' })
    }
  }
  if (body.password === undefined) return
  const problem = await passwordProblem(body.password)
  if (problem !== null) problems.malformed.push({ field: 'password', message: problem })
}

/** The password's hash, made before the transaction (26 ms of work on another thread). */
export const hashOf = async (
  { passwordCost }: ReadContext,
  { password }: UserCreate,
): Promise<string | null> => (password === undefined ? null : hashPassword(password, passwordCost))

/**
 * Makes a person a user of the product (SPEC 4.1). A person the account knows by this address keeps its
 * password, name, picture and verification, and is only linked (DECISIONS 3.1). Of any number of requests
 * for one address one creates the person and one links it. 401 when the product's setting does not allow it.
 */
export async function createUser(
  ctx: TxContext,
  scope: Scope,
  input: UserCreate,
  passwordHash: string | null,
): Promise<User> {
  const rules = await findUserRules(ctx.db, scope)
  if (!rules || (rules.can_create_users === 0 && !input.is_migration)) {
    throw unauthorized('unauthorized_access', 'This product does not allow users to be created.')
  }
  checkRedirect(input.after_email_confirm_url, rules.redirect_hosts)
  const person = await personOf(ctx, scope, input, passwordHash)
  const userId = person.id
  const linked = await link(ctx, scope, input, person)
  const user = await getUser(ctx, scope, userId)
  if (linked && !input.is_migration) {
    await recordEvent(ctx, scope, { type: 'user.created', userId, data: { user_id: String(userId) } })
    if (input.send_verification_email && user.is_verified === 0) {
      await sendConfirmation(ctx, scope, {
        userId,
        email: user.email,
        name: `${user.first} ${user.last}`.trim(),
        productTitle: rules.title,
        redirectUrl: input.after_email_confirm_url,
      })
    }
  }
  return presentUser(user, ctx.keys)
}

interface Person extends Names {
  readonly id: number
}

async function personOf(
  ctx: TxContext,
  scope: Scope,
  input: UserCreate,
  passwordHash: string | null,
): Promise<Person> {
  const { first = '', last = '' } = namesOf(input)
  const created = await insertPerson(ctx.db, {
    developer_id: scope.developerId,
    email: input.email,
    email_folded: fold(input.email),
    first,
    last,
    picture: input.picture ?? '',
    ip: input.ip ?? null,
    is_verified: input.is_verified ? 1 : 0,
    password_hash: passwordHash,
    auth: 'password',
    last_login_at: null,
    email_status: null,
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  if (created) return { id: created.id, first, last }
  const known = await findPersonByEmail(ctx.db, scope, fold(input.email))
  if (!known) throw new Error('A person that stands in the way of an insert is there.')
  return known
}

async function link(ctx: TxContext, scope: Scope, input: UserCreate, person: Person): Promise<boolean> {
  const { publicKey, secretKey } = newKeyPair()
  const allowed = input.is_marketing_allowed ?? null
  return linkPerson(ctx.db, {
    product_id: scope.productId,
    user_id: person.id,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'product_users.secret_key'),
    note: '',
    is_marketing_allowed: allowed === null ? null : allowed ? 1 : 0,
    is_beta: 0,
    gross: 0,
    is_paying: 0,
    source: SOURCES[input.source],
    email_folded: fold(input.email),
    name_folded: foldedName(person),
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
}

/** Only hosts on the product's list are led to (DECISIONS 3.10). */
function checkRedirect(url: string | undefined, hosts: string): void {
  if (url === undefined) return
  const allowed = JSON.parse(hosts) as string[]
  if (allowed.includes(new URL(url).host)) return
  throw invalidFields([
    { field: 'after_email_confirm_url', message: 'must lead to a host on the list of the product' },
  ])
}
