import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  licenseFile,
  newFileKeyPair,
  type FileKeyPair,
  type LicenseFilePayload,
} from '../../src/licensing/license-files/license-file.ts'
import {
  checkFile,
  type Checking,
  type FileKey,
  type Outcome,
} from '../../web/dashboard/pages/licenses/file-check.ts'
import { table, type Case } from '../license-files/cases.ts'
import { changed } from './changed-file.ts'

const ISSUED = 1_769_853_600
const DAY = 86_400

const listed = (given: object, state: FileKey['state']): FileKey => ({
  kid: '',
  alg: 'Ed25519',
  public_key: '',
  created: '2026-01-01 00:00:00',
  retired: null,
  listed_until: null,
  ...given,
  state,
})
const keyOf = ({ kid, publicKey }: FileKeyPair, state: FileKey['state'] = 'current') =>
  listed({ kid, public_key: publicKey }, state)

const { publicKeys, cases } = table()
const PRODUCTS = [
  { id: '7', title: 'Seven' },
  { id: '8', title: 'Eight' },
]

/** What the page of a product says of a case, where the server lists the keys of the case for product 7. */
const outcomeOf = ({ file, given }: Case): Promise<Outcome> =>
  checkFile(file, {
    here: String(given.productId),
    products: PRODUCTS,
    keysOf: async (id) => (id === '7' ? publicKeys[given.keys].map((one) => listed(one, 'current')) : []),
    now: given.now,
  })

/** What is told of each answer of the verifier; a machine is told, and held against no file. */
const TOLD: Readonly<Record<string, readonly Outcome['verdict'][]>> = {
  valid: ['valid'],
  malformed: ['no_file', 'damaged'],
  unknown_algorithm: ['unknown_algorithm'],
  unknown_key: ['unknown_key'],
  invalid_signature: ['changed'],
  wrong_product: ['other_product'],
  wrong_machine: ['valid'],
  clock_rolled_back: ['early'],
  expired: ['expired'],
}

test('every case of the table of the verifiers is told in the page as the verifier answers it', async () => {
  const ofPages = cases.filter(
    ({ given }) => given.lastSeen === undefined && ['7', '8'].includes(String(given.productId)),
  )
  assert.ok(ofPages.length > 50, String(ofPages.length))
  for (const one of ofPages) {
    const { verdict } = await outcomeOf(one)
    assert.ok(TOLD[one.result.code]?.includes(verdict), `${one.name}: ${verdict}`)
  }
})

const mine = newFileKeyPair()
const others = newFileKeyPair()
const PAYLOAD: LicenseFilePayload = {
  product: { id: '7', title: 'Seven of then' },
  license: {
    id: '4711',
    quota: null,
    expiration: null,
    is_block_features: false,
    is_whitelabeled: false,
    environment: 0,
  },
  plan: { id: '12', name: 'pro', title: 'Pro' },
  features: [{ id: '1', title: 'Storage', value: '10 GB' }],
  uid: 'f'.repeat(32),
  issued: ISSUED,
  expires: ISSUED + DAY,
  ttl: DAY,
}

const checked = (text: string, change: Partial<Checking> = {}) =>
  checkFile(text, {
    here: '7',
    products: PRODUCTS,
    keysOf: async (id) => (id === '7' ? [keyOf(mine)] : [keyOf(others, 'retired')]),
    now: ISSUED + 60,
    ...change,
  })

test('a good file is told with the key that signed it and all that it says, wherever it is bound to', async () => {
  const outcome = await checked(licenseFile(PAYLOAD, mine))
  assert.deepEqual(outcome, {
    verdict: 'valid',
    time: 'valid',
    product: PRODUCTS[0],
    file: PAYLOAD,
    signer: keyOf(mine),
  })
})

test('a file of another product of the account is genuine, named as the account names it, and told with its time', async () => {
  const file = licenseFile({ ...PAYLOAD, product: { id: '8', title: 'Old name' } }, others)
  for (const [now, time] of [
    [ISSUED, 'valid'],
    [ISSUED + DAY, 'expired'],
    [ISSUED - DAY, 'early'],
  ] as const) {
    const outcome = await checked(file, { now })
    assert.ok('file' in outcome)
    assert.deepEqual(
      [outcome.verdict, outcome.time, outcome.product.title, outcome.signer.state],
      ['other_product', time, 'Eight', 'retired'],
    )
  }
})

test('of a file that is not proven nothing is told but its key and the product that it claims', async () => {
  const claims = { ...PAYLOAD, product: { id: '9', title: 'Nine' } }
  const foreign = await checked(licenseFile(claims, others))
  assert.deepEqual(foreign, {
    verdict: 'foreign',
    kid: others.kid,
    product: { id: '9', title: 'Nine' },
    says: claims,
  })
  const unknown = await checked(licenseFile(PAYLOAD, others))
  assert.deepEqual([unknown.verdict, 'file' in unknown], ['unknown_key', false])
  const spoiled = await checked(changed(licenseFile(PAYLOAD, mine)))
  assert.deepEqual([spoiled.verdict, 'file' in spoiled], ['changed', false])
})

test('a file that was signed for one product and says another is told as changed, not as of the other', async () => {
  const claims = { ...PAYLOAD, product: { id: '8', title: 'Eight' } }
  assert.equal((await checked(licenseFile(claims, mine))).verdict, 'changed')
})

test('whatever stands in a file that nobody signed, it is told', async () => {
  for (const says of [null, [], 1, 'x', {}, { product: null }, { product: { id: 8, title: {} }, uid: {} }]) {
    const file = licenseFile(says as never, others)
    assert.equal((await checked(file)).verdict, 'unknown_key', JSON.stringify(says))
  }
})

test('no key is asked for of a text that is no file', async () => {
  const keysOf = () => assert.fail('asked')
  assert.equal((await checked('Dear customer', { keysOf })).verdict, 'no_file')
  const cut = licenseFile(PAYLOAD, mine).slice(0, 200)
  assert.equal((await checked(cut, { keysOf })).verdict, 'damaged')
})

test('where a browser has no Web Crypto, or none with Ed25519, that is told', async (t) => {
  const file = licenseFile(PAYLOAD, mine)
  const importing = t.mock.method(crypto.subtle, 'importKey', () => {
    throw new DOMException('Unrecognized name.', 'NotSupportedError')
  })
  assert.equal((await checked(file)).verdict, 'no_crypto')
  importing.mock.restore()
  t.mock.getter(crypto, 'subtle', () => undefined as never)
  assert.equal((await checked(file)).verdict, 'no_crypto')
})
