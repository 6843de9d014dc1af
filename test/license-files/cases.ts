import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import {
  armored,
  FILE_ALGORITHM,
  kidOf,
  licenseFile,
  signedBytes,
  type FileKeyPair,
  type LicenseFilePayload,
} from '../../src/licensing/license-files/license-file.ts'

/** What `verify` gets beside the file; `keys` names a list in `publicKeys` of the table. */
export interface Given {
  readonly keys: 'current' | 'both' | 'next' | 'none' | 'disguised' | 'garbled'
  readonly productId: string | number
  readonly uid?: string
  readonly now: number
  readonly lastSeen?: number
}

export interface Case {
  readonly name: string
  readonly file: string
  readonly given: Given
  /** All of what `verify` answers. */
  readonly result: { readonly valid: boolean; readonly code: string; readonly [key: string]: unknown }
}

/** The table that every verifier passes. */
export interface Table {
  readonly publicKeys: Readonly<Record<Given['keys'], readonly object[]>>
  readonly cases: readonly Case[]
}

const DAY = 86_400
/** 31 January 2026, 10:00:00 UTC. */
const ISSUED = 1_769_853_600
const EXPIRES = ISSUED + 30 * DAY
const SKEW = 300
const UID = '0123456789abcdef0123456789abcdef'
const OTHER_UID = 'fedcba9876543210fedcba9876543210'
/** The order of the group, by which a signature's second half could be raised without harm to its arithmetic. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const current = pairOf(1)
const next = pairOf(2)

function pairOf(byte: number): FileKeyPair {
  const seed = Buffer.alloc(32, byte)
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kid: kidOf(x), publicKey: x, secretKey: seed.toString('base64url') }
}

const listed = ({ kid, publicKey }: FileKeyPair, alg = FILE_ALGORITHM) => ({
  kid,
  alg,
  public_key: publicKey,
})

const unbound: LicenseFilePayload = {
  product: { id: '7', title: 'Grün & <Söhne> 🌲' },
  license: {
    id: '4711',
    quota: 5,
    expiration: '2027-01-31 10:00:00',
    is_block_features: true,
    is_whitelabeled: false,
    environment: 0,
  },
  plan: { id: '12', name: 'professional', title: 'Professional' },
  features: [
    { id: '31', title: 'Storage', value: '10 GB' },
    { id: '32', title: 'Support/“priority”', value: null },
  ],
  uid: null,
  issued: ISSUED,
  expires: EXPIRES,
  ttl: 30 * DAY,
}
const bound = { ...unbound, uid: UID, features: [] }
const lifetime = { ...unbound, license: { ...unbound.license, quota: null, expiration: null } }

const file = licenseFile(unbound, current)
const given: Given = { keys: 'current', productId: '7', now: ISSUED + DAY }

interface Envelope {
  readonly alg: string
  readonly kid: string
  readonly payload: string
  readonly sig: string
}

const envelopeText = (text: string) =>
  Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64').toString()
const envelope = JSON.parse(envelopeText(file)) as Envelope
const changed = (change: Partial<Envelope>) => armored(JSON.stringify({ ...envelope, ...change }))

const pkcs8Of = ({ publicKey, secretKey }: FileKeyPair) =>
  createPrivateKey({
    key: { kty: 'OKP', crv: FILE_ALGORITHM, x: publicKey, d: secretKey },
    format: 'jwk',
  })
const signatureOf = (bytes: Buffer, pair = current) => sign(null, bytes, pkcs8Of(pair)).toString('base64url')

/** A signature with the group's order added to its second half. */
function raised(sig: string): string {
  const bytes = Buffer.from(sig, 'base64url')
  const half = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + ORDER
  const hex = half.toString(16).padStart(64, '0')
  return Buffer.concat([bytes.subarray(0, 32), Buffer.from(hex, 'hex').reverse()]).toString('base64url')
}

/** Another last character for the same bytes: its lowest bits are not used. */
function respelled(base64url: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return base64url.slice(0, -1) + alphabet[alphabet.indexOf(base64url.at(-1) ?? '') ^ 1]
}

const valid = (name: string, text: string, more: Partial<Given>, payload: LicenseFilePayload): Case => ({
  name,
  file: text,
  given: { ...given, ...more },
  result: { valid: true, code: 'valid', ...payload },
})

const refused = (code: string, name: string, text: string, more: Partial<Given> = {}): Case => ({
  name,
  file: text,
  given: { ...given, ...more },
  result: { valid: false, code },
})

const good: readonly Case[] = [
  valid('good for any install', file, {}, unbound),
  valid('good for any install, and one asks by its uid', file, { uid: UID }, unbound),
  valid('good for this install', licenseFile(bound, current), { uid: UID }, bound),
  valid('unlimited and for life', licenseFile(lifetime, current), {}, lifetime),
  valid('the product as a number', file, { productId: 7 }, unbound),
  valid('with the line ends of Windows', file.replaceAll('\n', '\r\n'), {}, unbound),
  valid('with blank lines around', `\n \t${file}\r\n\n`, {}, unbound),
  valid('at the moment of issue', file, { now: ISSUED }, unbound),
  valid('one second before it expires', file, { now: EXPIRES - 1 }, unbound),
  valid('a fraction before it expires', file, { now: EXPIRES - 0.5 }, unbound),
  valid('a clock five minutes behind the server', file, { now: ISSUED - SKEW }, unbound),
  valid('a clock set back by five minutes', file, { lastSeen: given.now + SKEW }, unbound),
  valid('seen before', file, { lastSeen: ISSUED }, unbound),
  valid('rotated: the old key while it is listed', file, { keys: 'both' }, unbound),
  valid('rotated: the next key', licenseFile(unbound, next), { keys: 'both' }, unbound),
]

/** The envelope's text with one character replaced at places all over it; whatever it spells then, it is not good. */
const flipped = (): Case[] => {
  const text = envelopeText(file)
  const at = text.indexOf('"payload":"') + '"payload":"'.length
  return [0, 1, 200, 399, envelope.payload.length - 1].map((offset) => {
    const to = text[at + offset] === 'A' ? 'B' : 'A'
    const tampered = text.slice(0, at + offset) + to + text.slice(at + offset + 1)
    // The last character of the payload may hold bits that belong to no byte, which is no base64 at all.
    const isSpare = offset === envelope.payload.length - 1 && envelope.payload.length % 4 !== 0
    return refused(
      isSpare ? 'malformed' : 'invalid_signature',
      `tampered: character ${offset} of the payload`,
      armored(tampered),
    )
  })
}

const forged: LicenseFilePayload = { ...unbound, expires: EXPIRES + 365 * DAY }
const forgedText = Buffer.from(JSON.stringify(forged)).toString('base64url')

const tampered: readonly Case[] = [
  ...flipped(),
  refused(
    'invalid_signature',
    'tampered: another payload, the old signature',
    changed({ payload: forgedText }),
  ),
  refused('invalid_signature', "tampered: the other key's name", changed({ kid: next.kid }), {
    keys: 'both',
  }),
  refused('invalid_signature', 'tampered: a signature of zeros', changed({ sig: 'A'.repeat(86) })),
  refused(
    'invalid_signature',
    'tampered: the signature raised by the order of the group',
    changed({ sig: raised(envelope.sig) }),
  ),
  refused(
    'invalid_signature',
    'tampered: signed without the domain',
    changed({ sig: signatureOf(Buffer.from(envelope.payload)) }),
  ),
  refused(
    'invalid_signature',
    'tampered: signed by another key under this name',
    changed({ sig: signatureOf(signedBytes(envelope), next) }),
  ),
  refused(
    'malformed',
    'tampered: the signature spelled differently',
    changed({ sig: respelled(envelope.sig) }),
  ),
  refused('malformed', 'tampered: one more member', armored(JSON.stringify({ ...envelope, more: 1 }))),
  refused(
    'malformed',
    'tampered: a member twice',
    armored(envelopeText(file).replace('{', '{"alg":"none",')),
  ),
  refused(
    'malformed',
    'tampered: white space in the envelope',
    armored(envelopeText(file).replace(':', ': ')),
  ),
  refused('malformed', 'tampered: text before the file', `x${file}`),
  refused('malformed', 'tampered: text after the file', `${file}x`),
  refused('malformed', 'tampered: two files', file + file),
  refused('malformed', 'tampered: a space within a line', file.replace(/(?<=\n.{20})/, ' ')),
]

const lines = file.split('\n')
const truncated: readonly Case[] = [
  ...[0, 1, 27, 28, 29, 93, Math.floor(file.length / 2), file.length - 3].map((length) =>
    refused('malformed', `truncated: ${length} characters`, file.slice(0, length)),
  ),
  refused('invalid_signature', 'truncated: a line is missing', lines.toSpliced(3, 1).join('\n')),
  refused('malformed', 'truncated: the last line of base64 is missing', lines.toSpliced(-3, 1).join('\n')),
  refused('malformed', 'truncated: nothing between the lines', armored('')),
  refused('malformed', 'truncated: a shorter signature', changed({ sig: envelope.sig.slice(0, -2) })),
  refused('malformed', 'truncated: an empty signature', changed({ sig: '' })),
  refused('malformed', 'truncated: an empty payload', changed({ payload: '' })),
  refused(
    'invalid_signature',
    'truncated: a shorter payload',
    changed({ payload: envelope.payload.slice(0, 400) }),
  ),
]

const elsewhere: readonly Case[] = [
  refused('wrong_product', 'wrong product', file, { productId: '8' }),
  refused('wrong_product', 'wrong product: none', file, { productId: '' }),
  refused('wrong_product', 'wrong product: written differently', file, { productId: '07' }),
  refused('wrong_machine', 'wrong machine', licenseFile(bound, current), { uid: OTHER_UID }),
  refused('wrong_machine', 'wrong machine: it does not say', licenseFile(bound, current)),
  refused('wrong_machine', 'wrong machine: empty', licenseFile(bound, current), { uid: '' }),
  refused('wrong_machine', 'wrong machine: in capitals', licenseFile(bound, current), {
    uid: UID.toUpperCase(),
  }),
]

const late: readonly Case[] = [
  refused('expired', 'expired: the very second', file, { now: EXPIRES }),
  refused('expired', 'expired: a year ago', file, { now: EXPIRES + 365 * DAY }),
  refused('clock_rolled_back', 'clock rolled back: before the file was issued', file, {
    now: ISSUED - SKEW - 1,
  }),
  refused('clock_rolled_back', 'clock rolled back: to 1970', file, { now: 0 }),
  refused('clock_rolled_back', 'clock rolled back: before it was seen', file, {
    lastSeen: given.now + SKEW + 1,
  }),
  refused('clock_rolled_back', 'clock rolled back after it expired', file, { lastSeen: EXPIRES + DAY }),
]

const signedAs = (alg: string) => {
  const signed = { ...envelope, alg }
  return changed({ alg, sig: signatureOf(signedBytes(signed)) })
}

const unknown: readonly Case[] = [
  refused('unknown_key', 'rotated: the old key is no longer listed', file, { keys: 'next' }),
  refused('unknown_key', 'no keys', file, { keys: 'none' }),
  refused('unknown_key', 'a key of this name for another algorithm', file, { keys: 'disguised' }),
  refused('unknown_key', 'a key of this name that is no key', file, { keys: 'garbled' }),
  ...['none', '', 'ed25519', 'Ed448', 'HS256', 'Ed25519 '].map((alg) =>
    refused('unknown_algorithm', `unknown algorithm: “${alg}”`, signedAs(alg)),
  ),
  refused('malformed', 'unknown algorithm: no text', changed({ alg: null as never })),
]

/** Every case, from fixed keys: the same text at every run. */
export const table = (): Table => ({
  publicKeys: {
    current: [listed(current)],
    both: [listed(next), listed(current)],
    next: [listed(next)],
    none: [],
    disguised: [listed(current, 'HS256')],
    garbled: [{ ...listed(current), public_key: 'AAAA' }],
  },
  cases: [...good, ...tampered, ...truncated, ...elsewhere, ...late, ...unknown],
})
