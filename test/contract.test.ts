import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type, type TObject } from '../src/lib/type.ts'
import { operations, refusals } from '../src/app.ts'
import { mountsOf } from '../src/http/mounts.ts'
import { openApiDocument } from '../src/http/openapi.ts'
import type { AnyOperation } from '../src/http/operation.ts'
import { differencesOf } from './contract/compare.ts'
import { replyDifferences } from './contract/compare-reply.ts'
import { Document } from './contract/document.ts'
import { contractOperations, entityFact, entityFields, ourId } from './contract/facts.ts'
import { parseShape } from './contract/shape.ts'
import { documentedFields, UNANSWERED } from './contract/unseen.ts'

/** Where we differ on purpose, and which decision says so. */
const DECIDED: Readonly<Record<string, string>> = {
  'users/list-subscriptions query plan_id is integer, not string': 'docs/decisions.md 1.2: an id',
  'Subscription.license_id may be null': 'docs/decisions.md 1.6: the license was deleted',
  'Subscription.country_code may be null': 'docs/decisions.md 1.6: not known of what was paid elsewhere',
  'Subscription.user_card_id may be null': 'docs/decisions.md 1.6: no method is stored',
  'Payment.license_id may be null': 'docs/decisions.md 1.6: the license was deleted',
  'Payment.country_code may be null': 'docs/decisions.md 1.6: not known of what was paid elsewhere',
  'Payment.user_card_id may be null': 'docs/decisions.md 1.6: no method is stored',
  'Payment.bound_payment_id may be null': 'docs/decisions.md 1.6: a payment is bound to none',
  'Payment may come without email': 'its rule: with extended only',
  'Payment may come without url': 'its rule: with extended only',
  'Payment may come without billing_cycle': 'its rule: with extended only',
  'Payment may come without plan_name': 'its rule: with extended only',
  'Payment.plan_name may be null': '`users/list-payments`: may be null there',
  'Payment.email is never null': 'a payment has a user, who has an address',
  'Payment.refund_reason may be null': 'the contract, Payment: null of what is not refunded',
  'Discount.coupon_id may be null': 'docs/decisions.md 1.6: proration has no coupon',
  'Subscription may come without plan_name': 'its rule: with extended only',
  'Subscription may come without email': 'its rule: with extended only',
  'Subscription may come without url': 'its rule: with extended only',
  'Subscription may come without title': 'its rule: with extended only',
  'Subscription may come without has_subscription_cancellation_discount':
    'its rule: with enrich_with_cancellation_discounts only',
  'coupons/create body requires code': 'docs/decisions.md 2.2: a coupon is nothing without code and discount',
  'coupons/create body requires discount': 'docs/decisions.md 2.2',
  'coupons/create body requires discount_type': 'docs/decisions.md 2.2',
  'Coupon may come without discounts': 'docs/interface.md 9.1: only enriched, in the list',
  'plans/update-pricing body id is not accepted': 'docs/decisions.md 1.1: output only, ignored',
  'plans/update-pricing body created is not accepted': 'docs/decisions.md 1.1: output only, ignored',
  'plans/update-pricing body updated is not accepted': 'docs/decisions.md 1.1: output only, ignored',
  'products/retrieve-pricing-table-data query bundle_product_id is integer, not string':
    'docs/decisions.md 1.2: an id',
  'Plan may come without pricing': 'docs/interface.md 1.8: free plans have no such key',
  'users/create body requires email': 'docs/decisions.md 3.2',
  'developers/log-in body requires email': 'docs/decisions.md 2.2: 402 without it',
  'developers/log-in body requires password': 'docs/decisions.md 2.2: 402 without it',
  'Developer has no secret_key': 'a session must not open what the keys of the account open',
  'plans/create-license body existing_install_id is integer, not string': 'docs/decisions.md 1.2: an id',
  'licenses/create-review body requires rate': 'docs/decisions.md 2.2: 402 without a score',
  'licenses/create-review body requires text': 'docs/decisions.md 2.2: 402, a review says something',
  'License may come without plugin_type': 'its rule: with is_enriched only',
  'License may come without products': 'its rule: with is_enriched only',
  'LicenseEnriched may come without parent_plan_id': 'its rule: with enriched only',
  'LicenseEnriched.parent_plan_id may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without trial_ends': 'its rule: with enriched only',
  'LicenseEnriched.trial_ends may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without subscription_id': 'its rule: with enriched only',
  'LicenseEnriched.subscription_id may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without subscription_total_gross': 'its rule: with enriched only',
  'LicenseEnriched.subscription_total_gross may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without subscription_initial_amount': 'its rule: with enriched only',
  'LicenseEnriched.subscription_initial_amount may be null':
    'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without subscription_gateway': 'its rule: with enriched only',
  'LicenseEnriched.subscription_gateway may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without subscription_failed_payments': 'its rule: with enriched only',
  'LicenseEnriched.subscription_failed_payments may be null':
    'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without next_payment': 'its rule: with enriched only',
  'LicenseEnriched may come without parent_license_id': 'its rule: with enriched only',
  'LicenseEnriched.parent_license_id may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without parent_license_bundle_id': 'its rule: with enriched only',
  'LicenseEnriched.parent_license_bundle_id may be null': 'docs/decisions.md 1.6: null where there is none',
  'LicenseEnriched may come without parent_plan_title': 'its rule: with enriched only',
  'LicenseEnriched may come without parent_plan_name': 'its rule: with enriched only',
  'Cart may come without gross': 'docs/interface.md 10.1: with enriched=true only',
  'Cart may come without coupon_code': 'docs/interface.md 10.1: with enriched=true only',
  'Cart may come without licenses': 'docs/interface.md 10.1: with enriched=true only',
  'reviews/create body requires rate': 'docs/decisions.md 2.2: 402 without a score',
  'reviews/create body requires text': 'docs/decisions.md 2.2: 402, a review says something',
  'reviews/create body requires name': 'docs/decisions.md 2.2: 402, a review is by somebody',
  'installations/downgrade-default-plan body reason_ids is union, not integer':
    'docs/decisions.md 1.1: several reasons too, as everywhere else',
  'installations/update-install body plugins is union, not string':
    'docs/interface.md 4.5: clients send a list',
  'installations/update-install body themes is union, not string':
    'docs/interface.md 4.5: clients send a list',
  'installations/update-install body install_ids is union, not array': 'its rule: text with commas too',
  'installations/update-permissions body requires is_enabled':
    'docs/decisions.md 2.2: 402, without it nothing is said',
  'installations/update-permissions body requires permissions': 'docs/decisions.md 2.2: the same',
  'installations/uninstall-from-anonymous-site body requires uid':
    'docs/decisions.md 2.2: 402, of which site it is',
  'installations/retrieve-latest-update query newer_than is string, not boolean':
    'its rule: used as a version',
  'deployments/create body file is not accepted': 'a part of the body, no argument in it',
  'deployments/create body data is not accepted': 'the part whose JSON is the body',
  'PluginTag.limit may be null': 'its rule: null is unlimited',
  'Install may come without secret_key': 'docs/decisions.md 1.10: not for a member whose role is limited',
  'Install.plan_id may be null': 'its rule: null on the free plan',
  'Install.trial_plan_id may be null': 'its rule: null without a trial',
  'PluginReview.license_id may be null': 'docs/decisions.md 1.6: null where no license was reviewed',
  'User.email_status may be null': 'docs/decisions.md 1.6: null while no mail was sent',
  'Plugin may come without secret_key': 'docs/decisions.md 1.10: never with the public key alone',
  'Plugin.default_plan_id may be null': 'docs/decisions.md 1.6: null while the product has no plan',
  'products/gdpr-compliance-check reply may come without is_active': 'its rule: with is_update=true only',
  'User may come without secret_key': 'not for a member of a team whose role is limited (docs/roles.md)',
  'products/update-email-addressses body id is not accepted':
    'docs/security-checks.md S05: output only, ignored',
  'products/update-email-addressses body created is not accepted':
    'docs/security-checks.md S05: output only, ignored',
  'products/update-email-addressses body updated is not accepted':
    'docs/security-checks.md S05: output only, ignored',
  'products/update-email-addressses body plugin_id is not accepted':
    'docs/security-checks.md S05: output only, ignored',
}

const ids = new Set(operations.map(({ id }) => id))
const implemented = contractOperations.filter((contract) => ids.has(ourId(contract)))

function allDifferences(ours: readonly AnyOperation[]): string[] {
  const mounts = mountsOf(ours)
  const document = new Document(openApiDocument(ours, { baseUrl: '', refusals }))
  return implemented.flatMap((contract) => differencesOf(contract, mounts, document))
}

const found = allDifferences(operations)

for (const { id, method, path } of implemented) {
  test(`${id} is what the contract says at ${method} ${path}`, () => {
    const mine = found.filter((line) => line.startsWith(`${id} `))
    assert.deepEqual(
      mine.filter((line) => !(line in DECIDED)),
      [],
    )
  })
}

test('the entities of the replies are what the contract says, but for what is decided otherwise', () => {
  const others = found.filter((line) => !implemented.some(({ id }) => line.startsWith(`${id} `)))
  assert.deepEqual(
    [...new Set(others)].filter((line) => !(line in DECIDED)),
    [],
  )
})

test('nothing is decided that is not so', () => {
  assert.deepEqual(
    Object.keys(DECIDED).filter((line) => !found.includes(line)),
    [],
  )
})

test('the body of a refusal is what the contract says', () => {
  const document = new Document(openApiDocument(operations, { baseUrl: '', refusals }))
  const ours = { $ref: '#/components/schemas/ApiError' }
  assert.deepEqual(replyDifferences('', entityFact('ApiError'), ours, document), [])
})

test('every operation is one of the contract, or says that it is ours', () => {
  const known = new Set(contractOperations.map(({ id }) => id))
  const strays = operations.filter(({ id }) => !known.has(id) && !id.startsWith('keywright/'))
  assert.deepEqual(
    strays.map(({ id }) => id),
    [],
  )
})

test('every entity is in a reply, or it is said why it is in none', () => {
  const documented = documentedFields()
  const answered = new Set([...documented.keys()].map((field) => field.split('.')[0] ?? ''))
  const missing = [...entityFields.keys()].filter((name) => !answered.has(name))
  assert.deepEqual(missing.toSorted(), Object.keys(UNANSWERED).toSorted())
  for (const [name, fields] of entityFields) {
    const unread = fields.filter((field) => answered.has(name) && !documented.has(`${name}.${field}`))
    assert.deepEqual(unread, [], name)
  }
})

test('every reply of the contract can be read', () => {
  const shapes = contractOperations.flatMap(({ responses }) => Object.values(responses))
  for (const shape of shapes) assert.doesNotThrow(() => parseShape(shape === 'none' ? 'any' : shape), shape)
})

/** The operations with one changed. */
const withChanged = (id: string, change: (op: AnyOperation) => Partial<AnyOperation>): AnyOperation[] =>
  operations.map((op) => (op.id === id ? ({ ...op, ...change(op) } as AnyOperation) : op))

const replaced = (
  schema: TObject | undefined,
  name: string,
  property: TObject['properties'] = {},
): TObject => {
  const { [name]: _, ...others } = schema?.properties ?? {}
  return Type.Object({ ...others, ...property })
}

const choices = Type.Unsafe({ enum: ['all', 'never_paid', 'paid', 'paying'] })
const mutations: Readonly<Record<string, [ours: AnyOperation[], difference: string]>> = {
  'another path': [
    withChanged('users/list', () => ({ path: '/people.json' })),
    'users/list is not at GET /products/{product_id}/users.json',
  ],
  'another method': [
    withChanged('users/update', () => ({ method: 'POST' })),
    'users/update is not at PUT /products/{product_id}/users/{user_id}.json',
  ],
  'a query parameter of another name': [
    withChanged('users/list', ({ query }) => ({ query: replaced(query, 'search', { find: Type.String() }) })),
    'users/list query search is not accepted',
  ],
  'a choice that is gone': [
    withChanged('users/list', ({ query }) => ({ query: replaced(query, 'filter', { filter: choices }) })),
    'users/list query filter refuses beta',
  ],
  'a query parameter that became required': [
    withChanged('users/list', ({ query }) => ({ query: replaced(query, 'email', { email: Type.String() }) })),
    'users/list query requires email',
  ],
  'a body field that is gone': [
    withChanged('users/update', ({ body }) => ({ body: replaced(body, 'is_beta') })),
    'users/update body is_beta is not accepted',
  ],
  'a body field that takes no null': [
    withChanged('users/update', ({ body }) => ({
      body: replaced(body, 'is_marketing_allowed', { is_marketing_allowed: Type.Optional(Type.Boolean()) }),
    })),
    'users/update body is_marketing_allowed refuses null',
  ],
  'another status': [
    withChanged('users/create', () => ({ status: 201 })),
    'users/create does not answer 200',
  ],
  'an entity without a field': [
    withChanged('users/retrieve-billing', ({ response }) => ({
      response: replaced(response as TObject, 'address_zip'),
    })),
    'Billing has no address_zip',
  ],
  'an entity field of another type': [
    withChanged('users/retrieve', ({ response }) => ({
      response: replaced(response as TObject, 'gross', { gross: Type.String() }),
    })),
    'User.gross is string, not number',
  ],
  'an entity field that is never null': [
    withChanged('events/retrieve', ({ response }) => ({
      response: replaced(response as TObject, 'user_id', { user_id: Type.String() }),
    })),
    'EventLog.user_id is never null',
  ],
}
for (const [what, [ours, difference]] of Object.entries(mutations)) {
  test(`${what} is found`, () => assert.ok(allDifferences(ours).includes(difference)))
}

after(() => process.stdout.write(`${implemented.length} of ${contractOperations.length} operations\n`))

test('every argument that names a country takes those of ISO 3166-1 alone', () => {
  const named = (schema: TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).filter(([name]) => /country(_code)?$/.test(name))
  const all = operations.flatMap(({ params, query, body }) => [params, query, body].flatMap(named))
  assert.ok(all.length > 6)
  const free = all.filter(([, schema]) => !JSON.stringify(schema).includes('"country-or-empty"'))
  assert.deepEqual([...new Set(free.map(([name]) => name))], ['address_country'])
})
