import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** Of every secret, in characters. */
export const SECRET_MIN_LENGTH = 32
const MAX_CACHED_SUBKEYS = 256
const VERSION = 'v1'

/** How every text begins that a keyring has sealed. */
export const SEALED = `${VERSION}.`

/** Whether a text has the form of what a keyring seals: version, the eight digits of a secret, and the rest. */
export const isSealed = (text: string): boolean => /^v1\.[0-9a-f]{8}\.[\w-]{38,}$/.test(text)
const KID_LENGTH = 8
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The purpose under which license keys are hashed, to be found again (`docs/decisions.md` 3.5). */
export const LICENSE_KEY_PURPOSE = 'licenses.secret_key'

/**
 * The server's secrets: seals what must be read again and hashes what must only be found again, each purpose
 * under its own subkey (HKDF-SHA256). The current secret writes, the previous ones still open
 * (`docs/decisions.md` 3.4).
 */
export class Keyring {
  readonly #current: Secret
  readonly #secrets: readonly Secret[]

  private constructor(current: Secret, previous: readonly Secret[]) {
    this.#current = current
    this.#secrets = [current, ...previous]
  }

  /** From secrets of at least 32 characters each, newest first; RangeError when one is shorter. */
  static of(current: string, previous: readonly string[] = []): Keyring {
    return new Keyring(
      new Secret(current),
      previous.map((text) => new Secret(text)),
    )
  }

  /** The first 8 hex digits that name the current secret in what it seals. */
  get currentKid(): string {
    return this.#current.kid
  }

  /**
   * Encrypts text with AES-256-GCM → `v1.<kid>.<base64url of iv, tag, ciphertext>`. `place` is the column it is
   * kept in, `table.column`; moved to another column it does not open.
   */
  seal(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES)
    const key = this.#current.subkey(`seal:${place}`)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(place))
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')
    return `${VERSION}.${this.#current.kid}.${sealed}`
  }

  /** What `seal` was given. Error when it was changed, belongs elsewhere, or its secret is not known. */
  open(sealed: string, place: string): string {
    const [version, kid, payload = '', ...rest] = sealed.split('.')
    const bytes = Buffer.from(payload, 'base64url')
    if (version !== VERSION || rest.length > 0 || bytes.length < IV_BYTES + TAG_BYTES) {
      throw new Error(`The text in ${place} is not sealed.`)
    }
    const secret = this.#secrets.find((candidate) => candidate.kid === kid)
    if (secret === undefined) throw new Error(`The secret that sealed the text in ${place} is not known.`)
    try {
      return decrypt(secret.subkey(`seal:${place}`), bytes, place)
    } catch (cause) {
      throw new Error(`The text in ${place} was changed after it was sealed.`, { cause })
    }
  }

  /** Whether the current secret sealed this; otherwise `keywright secret rotate` has it to seal again. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.#current.kid}.`)
  }

  /** Hex HMAC-SHA256 under the current secret, to find text that is not kept in clear. */
  keyedHash(text: string, purpose: string): string {
    return this.#current.hmac(text, purpose)
  }

  /** The keyed hash under each secret, current first: what a look-up during a rotation has to try. */
  keyedHashes(text: string, purpose: string): string[] {
    return this.#secrets.map((secret) => secret.hmac(text, purpose))
  }
}

function decrypt(key: KeyObject, bytes: Buffer, place: string) {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

class Secret {
  readonly kid: string
  readonly #text: string
  readonly #subkeys = new Map<string, KeyObject>()

  constructor(text: string) {
    if (text.length < SECRET_MIN_LENGTH) {
      throw new RangeError(`A secret must have at least ${SECRET_MIN_LENGTH} characters.`)
    }
    this.#text = text
    this.kid = hash('sha256', this.subkey('kid').export()).slice(0, KID_LENGTH)
  }

  subkey(purpose: string): KeyObject {
    const known = this.#subkeys.get(purpose)
    if (known !== undefined) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#text, 'keywright', purpose, KEY_BYTES)))
    if (this.#subkeys.size >= MAX_CACHED_SUBKEYS) this.#subkeys.clear()
    this.#subkeys.set(purpose, key)
    return key
  }

  hmac(text: string, purpose: string): string {
    return createHmac('sha256', this.subkey(`hash:${purpose}`))
      .update(text)
      .digest('hex')
  }
}
