/**
 * Verifies license files of Keywright without a network, in Node 20 and later and in browsers, with nothing but
 * Web Crypto. `docs/license-files.md` explains format and rules.
 *
 *   import { verify } from './license-file.mjs'
 *   const { valid, code, license } = await verify(text, { publicKeys, productId: '7', uid })
 */

const DOMAIN = 'keywright-license-file/1'
const ALGORITHM = 'Ed25519'
/** Seconds that a clock may be behind: behind the server's, or behind what it showed before. */
const SKEW = 300
const MAX_LENGTH = 262144

const ARMOR =
  /^[ \t\r\n]*-----BEGIN LICENSE FILE-----[\r\n]([A-Za-z0-9+/=\r\n]+)-----END LICENSE FILE-----[ \t\r\n]*$/
/** The one way in which the envelope is written: nothing that is not signed yet is read as JSON. */
const ENVELOPE =
  /^\{"alg":"([ !#-[\]-~]*)","kid":"([0-9a-f]{16})","payload":"([A-Za-z0-9_-]+)","sig":"([A-Za-z0-9_-]+)"\}$/

/**
 * Says whether a license file is good here and now.
 *
 * @param {string} fileText the file as it was received
 * @param {object} given
 * @param {{kid: string, alg: string, public_key: string}[]} given.publicKeys the `keys` of license_keys.json
 * @param {string | number} given.productId
 * @param {string} [given.uid] what this install calls itself; a file that is bound to one is bad without
 * @param {number} [given.now] Unix seconds; default: this machine's clock
 * @param {number | null} [given.lastSeen] the latest `now` of an earlier call, if any
 * @returns {Promise<{valid: boolean, code: string}>} with everything the file says when it is valid. Codes: valid,
 *   malformed, unknown_algorithm, unknown_key, invalid_signature, wrong_product, wrong_machine,
 *   clock_rolled_back, expired
 */
export async function verify(fileText, { publicKeys, productId, uid, now = Date.now() / 1000, lastSeen }) {
  const bad = (code) => ({ valid: false, code })
  const envelope = read(fileText)
  if (!envelope) return bad('malformed')
  const { alg, kid, payload, sig } = envelope
  if (alg !== ALGORITHM) return bad('unknown_algorithm')
  const known = publicKeys.find((one) => one.kid === kid && one.alg === ALGORITHM)
  const key = known && bytesOf(known.public_key)
  if (key?.length !== 32) return bad('unknown_key')
  if (!(await isSigned(key, sig, [DOMAIN, alg, kid, payload].join('\n')))) return bad('invalid_signature')

  const file = JSON.parse(new TextDecoder().decode(bytesOf(payload)))
  const code = judge(file, { productId, uid, now, lastSeen })
  return code === 'valid' ? { valid: true, code, ...file } : bad(code)
}

/** Whether what a file says holds here and now; times are asked so that one that is no number holds nothing. */
function judge(file, { productId, uid, now, lastSeen = null }) {
  if (file.product.id !== String(productId)) return 'wrong_product'
  if (file.uid !== null && file.uid !== uid) return 'wrong_machine'
  const isForward = now >= file.issued - SKEW && (lastSeen === null || now >= lastSeen - SKEW)
  if (!isForward) return 'clock_rolled_back'
  return now < file.expires ? 'valid' : 'expired'
}

/** The four parts of a file; null when it is not written as one. */
function read(fileText) {
  if (typeof fileText !== 'string' || fileText.length > MAX_LENGTH) return null
  const armor = ARMOR.exec(fileText)
  const json = armor && decoded(armor[1].replace(/[\r\n]/g, ''))
  const found = json && ENVELOPE.exec(json)
  if (!found) return null
  const [, alg, kid, payload, signature] = found
  const sig = bytesOf(signature)
  return sig?.length === 64 && bytesOf(payload) ? { alg, kid, payload, sig } : null
}

/** Base64 → its bytes as characters; null when it is not base64, or the same bytes are written in another way. */
function decoded(base64) {
  try {
    const binary = atob(base64)
    return btoa(binary) === base64 ? binary : null
  } catch {
    return null
  }
}

/** Base64url → bytes; null likewise. */
function bytesOf(base64url) {
  const base64 = String(base64url).replace(/-/g, '+').replace(/_/g, '/')
  const binary = decoded(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
  return binary === null ? null : Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

async function isSigned(publicKey, signature, text) {
  const key = await crypto.subtle.importKey('raw', publicKey, ALGORITHM, false, ['verify'])
  return crypto.subtle.verify(ALGORITHM, key, signature, new TextEncoder().encode(text))
}
