import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractOperations, entityFact, type Fact } from './facts.ts'
import { parseShape } from './shape.ts'

const VOCABULARY = 'the choices and forms of fields, which stand in the entities that have them'
const NOWHERE = 'no operation of the contract answers it'

/** Entities that no reply is or has in it, and why that is right. */
export const UNANSWERED: Readonly<Record<string, string>> = {
  CommonEnums: VOCABULARY,
  CommonProperties: VOCABULARY,
  CommonRequestSchemas: VOCABULARY,
  Migration: VOCABULARY,
  Affiliate: `${NOWHERE}; affiliates are out of scope (docs/decisions.md 1.11)`,
  AuthToken: NOWHERE,
  BetaParticipation: `${NOWHERE}; User and Install say whether they take part`,
  CouponEntity: `${NOWHERE}; CouponEntityEnriched has its fields`,
  Customer: `${NOWHERE}; what a gateway keeps of a buyer is shown to nobody`,
  EmailTemplate: `${NOWHERE}; what mails say is part of the server`,
  Member: `${NOWHERE}; what adds a member answers seven fields that it lists itself`,
  FSEndpointDeveloperPluginPricing: `${NOWHERE}; Pricing has its fields`,
  FSEndpointDeveloperPluginSubscriptions: 'it has no fields',
  FSEndpointDeveloperPluginUserSubscriptions: 'it has no fields',
}

const NO_ADDRESS = 'an account has the one address by which it is logged in to'

/** Fields that stay null or empty with us, and why that is right. */
const ALWAYS_EMPTY: Readonly<Record<string, string>> = {
  'Developer.paypal_email': NO_ADDRESS,
  'Developer.security_email': NO_ADDRESS,
  'Developer.secret_key': 'a session must not open what the keys of the account open',
  'Discount.updated': 'a discount is written once',
  'MarketItem.plugin_id': 'what a site tells of its plugins names none of a seller',
  'UserPluginEnriched.secret_key': 'an event tells no keys of its user',
}

const NOT_TOLD = 'a site does not tell it of its plugins and themes'
const NO_SECOND_FACTOR = 'users are let in by password, developers alone have two-factor'

/** Fields that have one value with us, and why that is right. */
const ALWAYS_THE_SAME: Readonly<Record<string, string>> = {
  'BankAccount.person_type': 'developers have bank accounts, users have none',
  'Coupon.source': 'no operation takes a coupon from elsewhere',
  'CouponEntityEnriched.entity_type': 'what a coupon is special for is a product',
  'Developer.last_cycle_earnings': 'who sells is paid by the gateway: nothing waits to be paid out',
  'MarketItem.downloads': NOT_TOLD,
  'MarketItem.installs_count': NOT_TOLD,
  'MarketItem.model': NOT_TOLD,
  'Note.entity_type': 'the contract reads notes of coupons; those of others have operations of our own',
  'Note.scope_entity_type': 'notes are written in a product',
  'Plugin.environment': 'a product has a sandbox, and is none',
  'PluginTag.has_premium':
    'what is uploaded is the archive of who pays; `has_free` says whether there is another',
  'Setting.element_type': 'what has settings is a product',
  'User.auth': NO_SECOND_FACTOR,
  'UserPluginEnriched.auth': NO_SECOND_FACTOR,
}

/**
 * What is wrong with the fields of the entities after a whole run, which wrote into `folder` what it saw: those that
 * replies did not have two different values in, as one alone may be what the server writes without any data, and those
 * that are listed as empty or always the same and were not.
 */
export async function fieldFaults(folder: string): Promise<string[]> {
  const seen = await valuesIn(folder)
  const shown = (field: string, least: number) => (seen.get(field)?.size ?? 0) >= least
  return [
    ...[...documentedFields()]
      .filter(
        ([field, least]) => !shown(field, field in ALWAYS_THE_SAME ? 1 : least) && !(field in ALWAYS_EMPTY),
      )
      .map(([field, least]) => `${field} had fewer than ${least} values in the replies of all tests`),
    ...Object.keys(ALWAYS_EMPTY)
      .filter((field) => shown(field, 1))
      .map((field) => `${field} is listed as always empty and had a value`),
    ...Object.keys(ALWAYS_THE_SAME)
      .filter((field) => shown(field, 2))
      .map((field) => `${field} is listed as always the same and was not`),
  ]
}

/** The values that each field had in any process, of each process two at most. */
async function valuesIn(folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const values = new Map<string, Set<string>>()
  const files = await readdir(folder)
  const lists = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  for (const line of lists.flatMap((text) => JSON.parse(text) as string[])) {
    const end = line.indexOf(' ')
    const field = line.slice(0, end)
    const some = values.get(field) ?? new Set()
    values.set(field, some.add(line.slice(end + 1)))
  }
  return values
}

/** Every field of every entity that a reply of the contract has in it, with how many different values show it. */
export function documentedFields(): ReadonlyMap<string, number> {
  const shapes = contractOperations.map(({ responses, success }) => responses[success] ?? 'none')
  const facts = shapes.filter((shape) => shape !== 'none').map((shape) => parseShape(shape))
  return new Map([entityFact('ApiError'), ...facts].flatMap(fieldsIn))
}

const fieldsIn = (fact: Fact): (readonly [field: string, least: number])[] => [
  ...Object.entries(fact.fields ?? {}).flatMap(([name, field]) => [
    ...(fact.entity === undefined ? [] : [[`${fact.entity}.${name}`, leastOf(field)] as const]),
    ...fieldsIn(field),
  ]),
  ...(fact.others ?? []).flatMap(fieldsIn),
  ...(fact.items ? fieldsIn(fact.items) : []),
  ...(fact.additional ? fieldsIn(fact.additional) : []),
]

/**
 * Of a number, a flag or one of several choices one value may be what stands there without data; text and objects that
 * are not empty do not.
 */
const leastOf = ({ type, enum: choices = [] }: Fact): number =>
  ['number', 'integer', 'boolean'].includes(type) || choices.length > 1 ? 2 : 1
