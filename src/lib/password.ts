import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fold } from './fold.ts'
import { withoutEnd } from './without-end.ts'

/** What one password hash costs; cheap values are for tests only. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's first choice for argon2id: 19 MiB, two passes (`docs/decisions.md` 3.7). */
export const DEFAULT_COST: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }

const MIN_LENGTH = 8
const MAX_LENGTH = 1_000
const TOO_LONG = `must have at most ${MAX_LENGTH} characters`
const SALT_BYTES = 16
const HASH_BYTES = 32
const NO_SALT = Buffer.alloc(SALT_BYTES)
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

const argon2Async = promisify(argon2)

/** Hashes a password with a new salt, off the event loop → `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, cost, { salt, bytes: HASH_BYTES })
  const { memoryKib, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether this is the password whose hash is stored. `outdated` says that the hash has another cost than `cost`,
 * so that a login can renew it. A stored text that is not such a hash takes the same time and is never ok.
 */
export async function verifyPassword(
  password: string,
  stored: string,
  cost: PasswordCost,
): Promise<{ ok: boolean; outdated: boolean }> {
  const parsed = parsePhc(stored)
  if (parsed === null) {
    await verifyNothing(password, cost)
    return { ok: false, outdated: true }
  }
  const hash = await derive(password, parsed.cost, { salt: parsed.salt, bytes: parsed.hash.length })
  return { ok: timingSafeEqual(hash, parsed.hash), outdated: !sameCost(parsed.cost, cost) }
}

/** The work of `verifyPassword` for an account that does not exist, so that both take the same time. */
export async function verifyNothing(password: string, cost: PasswordCost): Promise<void> {
  await derive(password, cost, { salt: NO_SALT, bytes: HASH_BYTES })
}

/**
 * Null when the password may be chosen, otherwise what is wrong with it, to follow a field's name. Length counts
 * code points of the composed form, which is what is hashed, whole (`docs/security-checks.md` S09,
 * `docs/decisions.md` 3.7).
 */
export async function passwordProblem(password: string): Promise<string | null> {
  // None that is so long has few enough characters when they are composed, which takes long.
  if (password.length > 8 * MAX_LENGTH) return TOO_LONG
  const characters = Array.from(password.normalize('NFC'))
  if (characters.length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`
  if (characters.length > MAX_LENGTH) return TOO_LONG
  if (new Set(characters).size === 1) return 'must not be one character, repeated'
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(fold(password)) ? 'is one of the most common passwords' : null
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** The package unpacks its list when it is loaded (30 ms), so it is loaded when a password is first chosen. */
async function loadCommonPasswords() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH))
}

const derive = (password: string, cost: PasswordCost, { salt, bytes }: { salt: Buffer; bytes: number }) =>
  argon2Async('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength: bytes,
  })

function parsePhc(stored: string) {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return null
  const cost = { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

const sameCost = (a: PasswordCost, b: PasswordCost) =>
  a.memoryKib === b.memoryKib && a.passes === b.passes && a.parallelism === b.parallelism

const unpadded = (bytes: Buffer) => withoutEnd(bytes.toString('base64'), '=')
