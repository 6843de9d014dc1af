import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SEALED_COLUMNS } from './sealed-columns.ts'

const KEYS = 'secret keys that must check signatures'
const LISTENERS = 'addresses, secrets and answers of listeners'
const WAY_BACK = 'addresses that mailed links lead back to'
const ASKED = 'filters of exports and bulk actions'
const TOKENS = 'tokens of payment methods'

/** What SECURITY.md calls what a sealed column holds. */
const NAMES: Readonly<Record<string, string>> = {
  'developers.secret_key': KEYS,
  'stores.secret_key': KEYS,
  'products.secret_key': KEYS,
  'former_keys.secret_key': KEYS,
  'product_users.secret_key': KEYS,
  'user_keys.secret_key': KEYS,
  'installs.secret_key': KEYS,
  'licenses.secret_key': 'license keys',
  'license_keys.secret_key': 'seeds of keys that sign license files',
  'two_factor.secret': 'secrets of two-factor',
  'payment_methods.token': TOKENS,
  'charges.token': TOKENS,
  'gateway_events.method': 'methods of payment that gateways report',
  'bank_accounts.account_number': 'account numbers of banks',
  'webhooks.url': LISTENERS,
  'webhooks.secret': LISTENERS,
  'webhooks.previous_secret': LISTENERS,
  'delivery_attempts.answer': LISTENERS,
  'bulks.asked': ASKED,
  'exports.asked': ASKED,
  'imports.asked': 'keys of servers that are being imported',
  'idempotency_keys.reply': 'stored replies',
  'mails.content': 'mail that waits',
  'pending_activations.work': 'opt-ins that wait',
  'erasures.addresses': 'addresses of persons who are being erased',
  'email_confirmations.redirect_url': WAY_BACK,
  'ownership_changes.redirect_url': WAY_BACK,
}

test('SECURITY.md names what is stored sealed, all of it and nothing else', async () => {
  const security = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  const [, row = ''] = /^\| (.+) \| AES-256-GCM/m.exec(security) ?? []
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(Object.keys(NAMES).toSorted(), sealed.toSorted())
  assert.deepEqual(row.split('; ').toSorted(), [...new Set(Object.values(NAMES))].toSorted())
})
