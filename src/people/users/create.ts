import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { requireUnlimited, userKeysShownTo, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { hashPassword, passwordProblem } from '../../lib/password.ts'
import { recordEvent } from '../../events/log/record.ts'
import { sendConfirmation } from '../proof/confirm-email.ts'
import { addNameProblems, foldedName, namesOf, type Names } from './names.ts'
import { insertPerson, linkPerson } from './queries.ts'
import { findPersonByEmail, findUserRules } from './user-rows.ts'
import { presentUser, SOURCES, type User, type UserCreate, type UserRow } from './schema.ts'
import { getUser } from './service.ts'
import { USER } from './user.entity.ts'

/**
 * A name, or first and last, is required (`docs/decisions.md` 3.2); a password keeps the rules of passwords; only hosts
 * on the product's list are led to (`docs/decisions.md` 3.10).
 */
export async function checkUserCreate(
  ctx: ReadContext,
  scope: Scope,
  body: UserCreate,
  problems: Problems,
): Promise<void> {
  checkNewNames(body, problems)
  const problem = body.password === undefined ? null : await passwordProblem(body.password)
  if (problem !== null) problems.malformed.push({ field: 'password', message: problem })
  const field = 'after_email_confirm_url'
  if (!(await isListed(ctx, scope, body[field]))) {
    problems.malformed.push({ field, message: 'must lead to a host on the list of the product' })
  }
}

function checkNewNames(body: UserCreate, problems: Problems): void {
  addNameProblems(body, problems)
  const { first, last } = namesOf(body)
  if ((body.name ?? '').trim() === '' && !problems.has('name')) {
    for (const [field, value] of Object.entries({ first, last })) {
      if (problems.has(field)) continue
      if (value === undefined) problems.missing.push({ field, message: 'is required without a name' })
      else if (value === '') problems.malformed.push({ field, message: 'must not be empty' })
    }
  }
}

async function isListed(ctx: ReadContext, scope: Scope, url: string | undefined): Promise<boolean> {
  if (url === undefined) return true
  const rules = await findUserRules(ctx.db, scope)
  const hosts = JSON.parse(rules?.redirect_hosts ?? '[]') as string[]
  return hosts.includes(new URL(url).host)
}

/** The password's hash, made before the transaction (26 ms of work on another thread). */
export const hashOf = async (
  { passwordCost }: ReadContext,
  { password }: UserCreate,
): Promise<string | null> => (password === undefined ? null : hashPassword(password, passwordCost))

/**
 * Makes a person a user of the product (`docs/interface.md` 6.2). A person the account knows by this address keeps its
 * password, name, picture and verification, and is only linked (`docs/decisions.md` 3.1). Of any number of requests
 * for one address one creates the person and one links it. Whom a seller enters is mailed only where that is asked
 * for; in product scope also where nothing is said. 401 when the product's setting does not allow it, and
 * for a password that a member of a limited role gives.
 */
export async function createUser(
  ctx: TxContext,
  scope: Scope,
  input: UserCreate,
  passwordHash: string | null,
): Promise<User> {
  if (input.password !== undefined) requireUnlimited(scope, 'The password of a person')
  const rules = await findUserRules(ctx.db, scope)
  if (!rules || (!rules.can_create_users && !input.is_migration)) {
    throw unauthorized('unauthorized_access', 'This product does not allow users to be created.')
  }
  const known = (await newPerson(ctx, scope, input, passwordHash)) ?? (await personOf(ctx, scope, input))
  const user = await join(ctx, scope, { input, person: known })
  return presentUser(user, userKeysShownTo(scope, ctx.keys))
}

/**
 * A person that nobody knew as a user of the product. Null, with nothing written, when the account has one with
 * this address: an unauthenticated call gets nothing of a person that was there before it (`docs/decisions.md` 3.1).
 */
export async function addNewUser(ctx: TxContext, scope: Scope, input: UserCreate): Promise<UserRow | null> {
  const person = await newPerson(ctx, scope, input, null)
  return person && join(ctx, scope, { input, person })
}

/** Makes a person of the account, found by its address, a user of the product if it is none yet. */
export async function addKnownUser(ctx: TxContext, scope: Scope, input: UserCreate): Promise<UserRow> {
  const person = await personOf(ctx, scope, input)
  return join(ctx, scope, { input, person })
}

/** Makes whoever has an address a user of the product, in whose place nothing is read; whether nobody had it before. */
export async function addBuyer(
  ctx: TxContext,
  scope: Scope,
  input: UserCreate,
): Promise<Person & { readonly isNew: boolean }> {
  const made = await newPerson(ctx, scope, input, null)
  const person = made ?? (await personOf(ctx, scope, input))
  await linkAndTell(ctx, scope, { input, person })
  return { ...person, isNew: made !== null }
}

interface Person extends Names {
  readonly id: number
  readonly email: string
}

interface Joining {
  readonly input: UserCreate
  readonly person: Person
}

async function join(ctx: TxContext, scope: Scope, { input, person }: Joining): Promise<UserRow> {
  const userId = person.id
  const linked = await linkAndTell(ctx, scope, { input, person })
  const user = await getUser(ctx, scope, userId)
  if (!linked || input.is_migration) return user
  const isMailed = input.send_verification_email ?? scope.kind === 'product'
  if (isMailed && !user.is_verified) {
    await sendConfirmation(ctx, scope, {
      userId,
      email: user.email,
      name: `${user.first} ${user.last}`.trim(),
      redirectUrl: input.after_email_confirm_url,
    })
  }
  return user
}

/** False: it was a user of the product before. */
async function linkAndTell(ctx: TxContext, scope: Scope, { input, person }: Joining): Promise<boolean> {
  const { id: userId } = person
  const linked = await link(ctx, scope, input, person)
  if (linked && !input.is_migration)
    await recordEvent(ctx, scope, { type: 'user.created', userId, data: { user_id: String(userId) } })
  return linked
}

/** Null when the account has a person with this address. */
async function newPerson(
  ctx: TxContext,
  scope: Scope,
  input: UserCreate,
  passwordHash: string | null,
): Promise<Person | null> {
  const { first = '', last = '' } = namesOf(input)
  const created = await insertPerson(ctx.db, {
    developer_id: scope.developerId,
    email: input.email,
    email_folded: fold(input.email),
    first,
    last,
    picture: input.picture ?? '',
    ip: input.ip ?? null,
    is_verified: input.is_verified,
    password_hash: passwordHash,
    auth: 'password',
    last_login_at: null,
    email_status: null,
    created: ctx.clock.now(),
    updated: null,
  })
  return created ? { id: created.id, email: input.email, first, last } : null
}

async function personOf(ctx: TxContext, scope: Scope, input: UserCreate): Promise<Person> {
  const known = await findPersonByEmail(ctx.db, scope, fold(input.email))
  if (!known) throw new Error('A person that is known by an address is there.')
  return known
}

async function link(ctx: TxContext, scope: Scope, input: UserCreate, person: Person): Promise<boolean> {
  const { publicKey, secretKey } = newKeyPair()
  return linkPerson(ctx.db, {
    product_id: scope.productId,
    user_id: person.id,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'product_users.secret_key'),
    note: '',
    ...USER.columns({ is_marketing_allowed: input.is_marketing_allowed ?? null, is_beta: false }),
    gross: 0,
    is_paying: false,
    source: SOURCES[input.source],
    email_folded: fold(input.email),
    name_folded: foldedName(person),
    created: ctx.clock.now(),
    updated: null,
  })
}
