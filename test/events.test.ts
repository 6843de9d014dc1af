import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from '../src/app.ts'
import { EVENT_TYPES } from '../src/db/tables/event-types.ts'
import { RECORDED } from '../src/events/log/event-meanings.ts'
import { EVENTS_FILE, eventsDocument } from '../tools/events.ts'

/** Writes that tell nobody, and why. */
const WITHOUT_EVENT: Readonly<Record<string, string>> = {
  'coupons/create-note': 'the table has no event of a note',
  'coupons/update-note': 'the table has no event of a note',
  'coupons/delete-note': 'the table has no event of a note',
  'keywright/create-bulk': 'what is done to each row has its own',
  'keywright/retry-bulk': 'as keywright/create-bulk',
  'keywright/create-import': 'import.finished says what it has brought; nobody is told of a row',
  'keywright/start-import': 'as keywright/create-import, once it is brought in',
  'keywright/cancel-import': 'as keywright/create-import',
  'keywright/undo-import': 'as keywright/create-import; the audit log has it',
  'keywright/contact-support': 'a mail to the support of the product; the table has no event of one',
  'keywright/resend-key-of-checkout': 'as licenses/resend-keys',
  'keywright/create-note-of-user': 'the table has no event of a note',
  'keywright/update-note-of-user': 'the table has no event of a note',
  'keywright/delete-note-of-user': 'the table has no event of a note',
  'keywright/create-note-of-license': 'the table has no event of a note',
  'keywright/update-note-of-license': 'the table has no event of a note',
  'keywright/delete-note-of-license': 'the table has no event of a note',
  'keywright/create-note-of-payment': 'the table has no event of a note',
  'keywright/update-note-of-payment': 'the table has no event of a note',
  'keywright/delete-note-of-payment': 'the table has no event of a note',
  'keywright/create-note-of-subscription': 'the table has no event of a note',
  'keywright/update-note-of-subscription': 'the table has no event of a note',
  'keywright/delete-note-of-subscription': 'the table has no event of a note',
  'keywright/retry-mail': 'the table has no event of a mail; the audit log has it',
  'keywright/update-mail-template': 'the table has no event of a mail; the audit log has it',
  'keywright/reset-mail-template': 'as keywright/update-mail-template',
  'keywright/test-mail-template': 'as keywright/update-mail-template',
  'keywright/developer-token': 'issues a credential; the audit log has it',
  'keywright/create-sandbox-token': 'issues a credential; the audit log has it',
  'developers/log-in': 'the table has no event of a login; the audit log has it',
  'keywright/log-in-user': 'as developers/log-in',
  'keywright/sign-in': 'as developers/log-in',
  'keywright/sign-out': 'as developers/log-in',
  'keywright/send-password-link': 'as developers/log-in',
  'keywright/ask-for-portal-link': 'mails a link, whose use is in the audit log',
  'keywright/leave-portal': 'as developers/log-in',
  'keywright/put-portal-language': 'the table has no event of a language of a person',
  'keywright/log-out': 'as developers/log-in',
  'keywright/change-password': 'as developers/log-in',
  'keywright/update-person': 'as developers/log-in',
  'keywright/set-up-two-factor': 'as developers/log-in',
  'keywright/confirm-two-factor': 'as developers/log-in',
  'keywright/remove-two-factor': 'as developers/log-in',
  'keywright/create-bank-account': 'the table has no event of a bank account; the audit log has it',
  'keywright/update-bank-account': 'as keywright/create-bank-account',
  'keywright/update-tax-settings': 'the table has no event of tax settings; the audit log has it',
  'keywright/create-api-token': 'issues a credential; the audit log has it',
  'keywright/revoke-api-token': 'ends a credential; the audit log has it',
  'keywright/create-developer-token': 'as keywright/create-api-token',
  'keywright/end-session': 'as developers/log-in',
  'keywright/revoke-developer-token': 'as keywright/revoke-api-token',
  'carts/delete': 'the table has no event of a cart that is deleted',
  'keywright/resend-events': 'what is sent again was recorded when it happened',
  'keywright/advance-sandbox-clock': 'what then happens has its own events',
  'users/create-checkout-token': 'issues a credential; the audit log has it',
  'licenses/generate-upgrade-link': 'as users/create-checkout-token',
  'products/generate-portal-login-link': 'as users/create-checkout-token',
  'keywright/view-portal': 'as users/create-checkout-token',
  'products/update': 'the table has no event of a product; readers see it by its `updated`',
  'products/update-setting': 'as products/update: a setting is columns of the product',
  'products/delete-setting': 'as products/update-setting',
  'keywright/write-setting': 'as products/update-setting',
  'keywright/update-info': 'the table has no event of what a market shows',
  'keywright/update-bundle-members': 'the table has no event of a bundle',
  'products/update-email-addressses': 'the table has no event of sender addresses',
  'products/delete-email-addresses': 'the table has no event of sender addresses',
  'keywright/update-store-addresses': 'the table has no event of sender addresses',
  'keywright/delete-store-addresses': 'the table has no event of sender addresses',
  'keywright/create-feature': 'the table has no event of a feature',
  'keywright/set-feature-value': 'the table has no event of a feature',
  'keywright/remove-feature-value': 'the table has no event of a feature',
  'products/update-feature': 'the table has no event of a feature',
  'products/delete-feature': 'the table has no event of a feature',
  'keywright/show-license-key': 'changes nothing; the audit log has it',
  'licenses/sync-activations': 'the table has no event of a recount; what is counted has its own',
  'licenses/resend-keys': 'the table has no event of a mail that was asked for',
  'licenses/resend-upgrade-email': 'as licenses/resend-keys',
  'keywright/mail-invoice': 'as licenses/resend-keys',
  'installations/create-clone': 'the table has no event of a clone',
  'installations/resolve-clone': 'as installations/create-clone',
  'installations/send-verification-email': 'as licenses/resend-keys; what is confirmed has its own',
  'installations/uninstall-from-anonymous-site': 'tells of nobody: there is no install and no user',
  'products/skip-account-connection': 'as installations/uninstall-from-anonymous-site',
  'keywright/create-license-file': 'the table has no event of a license file; the audit log has it',
  'keywright/rotate-license-keys': 'the table has no event of keys; the audit log has it',
  'keywright/renew-developer-keys': 'as keywright/rotate-license-keys',
  'keywright/renew-store-keys': 'as keywright/rotate-license-keys',
  'keywright/renew-product-keys': 'as keywright/rotate-license-keys',
  'keywright/show-developer-keys': 'as keywright/show-license-key',
  'keywright/show-store-keys': 'as keywright/show-license-key',
  'keywright/show-product-keys': 'as keywright/show-license-key',
  'keywright/show-export-address': 'as keywright/show-license-key',
  'keywright/record-install-event': 'records what the client calls an event, under its own name',
}

test('every operation that changes something emits an event of the table, or is on the written list', () => {
  const types: readonly string[] = EVENT_TYPES
  for (const op of operations) {
    if (op.kind !== 'write') continue
    assert.ok(
      op.emits.every((type) => types.includes(type)),
      op.id,
    )
    assert.equal(op.emits.length === 0, op.id in WITHOUT_EVENT, op.id)
  }
})

test('an operation that reads writes nothing', () => {
  for (const op of operations) {
    // A license key has no place in an address, and a text no room.
    const method = ['keywright/explain-license', 'keywright/preview-mail-text'].includes(op.id)
      ? 'POST'
      : 'GET'
    if (op.kind === 'read') assert.equal(op.method, method, op.id)
  }
})

/** Types that no other server tells. */
const OURS = [
  'export.completed',
  'export.created',
  'import.finished',
  'license.key.rotated',
  'store.deleted',
  'subscription.periods.skipped',
  'subscription.resumed',
  'user.erased',
]

test('the table holds the 149 public types and those of ours, each once', () => {
  assert.equal(EVENT_TYPES.filter((type) => !OURS.includes(type)).length, 149)
  assert.equal(EVENT_TYPES.length, 149 + OURS.length)
  assert.equal(new Set(EVENT_TYPES).size, EVENT_TYPES.length)
})

test('docs/events.md is what the table of types says', async () => {
  assert.equal(await readFile(EVENTS_FILE, 'utf8'), eventsDocument(), 'run npm run events')
})

/** Put together from a number, a side or a permission. */
const COMPOSED =
  /^(cart\.recovery\.email_\d_sent|(addon|plugin)\.(free|premium)\.downloaded|install\.(ownership\.(owner|candidate)\.confirmed|(extensions|site|user)\.opt_(in|out)))$/

test('the document tells of the types that the server records, and of no other', async () => {
  const cwd = join(import.meta.dirname, '../src')
  const files = await Array.fromAsync(glob('**/*.ts', { cwd }))
  const sources = files.filter((file) => !/(\.test|event-types|routes|emits)\.ts$/.test(file))
  const texts = await Promise.all(sources.map((file) => readFile(join(cwd, file), 'utf8')))
  const text = texts.join('\n')
  const isNamed = (type: string) => COMPOSED.test(type) || text.includes(`'${type}'`)
  assert.deepEqual(
    EVENT_TYPES.filter((type) => isNamed(type)),
    EVENT_TYPES.filter((type) => type in RECORDED),
  )
})

test('the document says of which licenses, payments, subscriptions and cards an event shows what they are: those its data names', () => {
  for (const [type, [, data, objects]] of Object.entries(RECORDED)) {
    const named = data.split(', ')
    for (const kind of ['license', 'payment', 'subscription', 'card']) {
      assert.equal(objects.split(', ').includes(kind), named.includes(`${kind}_id`), `${type}: ${kind}`)
    }
  }
})
