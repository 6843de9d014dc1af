import type { ReadContext } from '../../context.ts'
import { sameText } from '../../lib/credentials.ts'
import { issueToken, readToken, type TokenPurpose } from '../../lib/signed-token.ts'
import { HOUR } from '../../lib/time.ts'
import { findLinkState } from './login-queries.ts'

const LASTS_MS = HOUR

export type LinkState = NonNullable<Awaited<ReturnType<typeof findLinkState>>>

/** What a link of a person is for, and the state of the person that it works in: with another state it works no more. */
export interface PersonLink {
  readonly purpose: Extract<TokenPurpose, 'sign_in' | 'password'>
  stateOf(person: LinkState): string
}

/** A token that names a person in its present state, good for an hour. */
export const issuePersonToken = (
  { keys, clock }: ReadContext,
  { purpose, stateOf }: PersonLink,
  person: LinkState,
): string =>
  issueToken(keys, {
    purpose,
    claims: { person_id: String(person.id), state: keys.keyedHash(stateOf(person), purpose) },
    now: clock.real(),
    lastsMs: LASTS_MS,
  })

/** Whom a token names; null when it is none, too old, or overtaken. Reading it uses nothing up. */
export async function readPersonToken(
  { keys, clock, db }: ReadContext,
  { purpose, stateOf }: PersonLink,
  token: string,
): Promise<LinkState | null> {
  const claims = readToken(keys, token, { purpose, now: clock.real() })
  const person = claims && (await findLinkState(db, Number(claims['person_id'])))
  if (!person) return null
  const stands = keys
    .keyedHashes(stateOf(person), purpose)
    .some((state) => sameText(state, String(claims['state'])))
  return stands ? person : null
}
