import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext } from '../../../test/app.ts'
import { allOf } from '../../../test/whole-database.ts'
import { OWN_ROWS } from './own-rows.ts'
import { SCANNED_TEXTS } from './scanned-rows.ts'

/** What becomes of tables that no list of rows and texts has. */
const OTHERWISE: Readonly<Record<string, string>> = {
  users: 'emptied at once; the number stays',
  licenses: 'cancelled; of the person only the number of the user stands there',
  sites: 'go with the last install',
  install_clones: 'go with the install',
  install_metadata: 'go with the install',
  install_tokens: 'go with the install',
  market_items: 'go with the install',
  user_key_billing: 'goes with the pair of keys',
  user_key_installs: 'go with the pair of keys',
  user_key_licenses: 'go with the pair of keys',
  checkout_guards: 'forgotten at once',
  mail_counts: 'forgotten at once',
  audit_log: 'redacted, with a row that says so',
  deliveries: 'names an event and no person',
  erasures: 'forgets the addresses at the end',
  invoices: 'kept by law, as they were issued',
  invoice_numbers: 'kept by law: a number for a series',
  postings: 'kept by law: amounts of payments',
  discounts: 'amounts of payments',
  provisional_taxes: 'name a payment',
  coupon_redemptions: 'name the number of the user',
  account_customers: 'name the number of the user',
  sandbox_timeline: 'name ids alone',
  imports: 'counts, and where they came from',
  import_report: 'names lines, columns and ids alone',
  imported_rows: 'name ids alone, with a hash of all that a row said',
  idempotency_keys: 'sealed replies that go after a day',
  used_proofs: 'hashes that go after a day',
}

/** Of the seller, the team and the server, and what is sold: of no customer. */
const OF_NO_CUSTOMER: readonly string[] = `api_tokens backup_codes bank_accounts bundle_members
  count_changes counts coupons demos deployments developer_email_changes developers email_addresses former_keys
  feature_values features license_keys list_marks login_addresses login_failures member_invitations members
  own_mail_texts pictures plans pricing product_info products renewal_watch sandbox_clocks schema_version sessions settings
  skipped_sites special_coupons stores tax_settings two_factor webhooks event_sequence`.split(/\s+/)

let opened: Awaited<ReturnType<typeof testContext>>
before(async () => {
  opened = await testContext('own_rows')
})
after(() => opened.drop())

test('of every table of the database it is said what becomes of what it has of an erased person', async () => {
  const tables = Object.keys(await allOf(opened.ctx.database))
  const said = new Set<string>([
    ...OWN_ROWS.map(({ table }) => table),
    ...SCANNED_TEXTS.map(({ table }) => table),
    ...Object.keys(OTHERWISE),
    ...OF_NO_CUSTOMER,
  ])
  assert.deepEqual(
    tables.filter((table) => !said.has(table)),
    [],
  )
})
