import { LICENSE_KEY_PURPOSE as PURPOSE, type Keyring } from '../../lib/keyring.ts'

/** How a license key is kept: sealed to be shown, hashed to be found (`docs/decisions.md` 3.5). */
export const keptKey = (key: string, keys: Keyring) => ({
  secret_key: keys.seal(key, 'licenses.secret_key'),
  key_hash: keys.keyedHash(key, PURPOSE),
})

/**
 * The hashes a key may be kept under: as it came, and as it was before a client encoded it for an address, which
 * some do within a body too (`docs/interface.md` 5.1); each under every secret that is still known.
 */
export const hashesOfKey = (key: string, keys: Keyring): string[] =>
  spellingsOf(key).flatMap((text) => keys.keyedHashes(text, PURPOSE))

/** The hashes a key that is issued may already be kept under, by a secret that a rotation has yet to drop. */
export const formerHashesOfKey = (key: string, keys: Keyring): string[] =>
  keys.keyedHashes(key, PURPOSE).slice(1)

/** The key as it was issued, when it is the one that is kept under this hash, however it came; else null. */
export const issuedKey = (key: string, hash: string, keys: Keyring): string | null =>
  spellingsOf(key).find((text) => keys.keyedHashes(text, PURPOSE).includes(hash)) ?? null

function spellingsOf(key: string): readonly string[] {
  const [text, plain] = [key.trim(), plainKey(key)]
  return plain === text ? [text] : [text, plain]
}

/** A key in the one spelling under which uses of it are counted. */
export function plainKey(key: string): string {
  const text = key.trim()
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
