import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractOperations, type Fact } from './facts.ts'
import { parseShape } from './shape.ts'

/** Fields that stay null with us, and why that is right. */
const ALWAYS_NULL: Readonly<Record<string, string>> = {
  'Cart.install_id': 'a checkout is not opened by an install',
  'Developer.secret_key': 'a session must not open what the keys of the account open',
  'Discount.updated': 'a discount is written once',
  'MarketItem.plugin_id': 'what a site tells of its plugins names none of a seller',
  'UserPluginEnriched.secret_key': 'an event tells no keys of its user',
}

/**
 * What is wrong with the fields of the entities after a whole run, which wrote into `folder` what it saw: those that
 * no reply of any test had a value in, and those that are listed as null though one had.
 */
export async function fieldFaults(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  const lists = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const seen = new Set(lists.flatMap((text) => JSON.parse(text) as string[]))
  return [
    ...documentedFields()
      .filter((field) => !seen.has(field) && !(field in ALWAYS_NULL))
      .map((field) => `${field} had a value in no reply of any test`),
    ...Object.keys(ALWAYS_NULL)
      .filter((field) => seen.has(field))
      .map((field) => `${field} is listed as always null and had a value`),
  ]
}

/** Every field of every entity that a reply of the contract has in it. */
function documentedFields(): string[] {
  const shapes = contractOperations.map(({ responses, success }) => responses[success] ?? 'none')
  const facts = shapes.filter((shape) => shape !== 'none').map((shape) => parseShape(shape))
  return [...new Set(facts.flatMap(fieldsIn))].toSorted()
}

const fieldsIn = (fact: Fact): string[] => [
  ...Object.entries(fact.fields ?? {}).flatMap(([name, field]) => [
    ...(fact.entity === undefined ? [] : [`${fact.entity}.${name}`]),
    ...fieldsIn(field),
  ]),
  ...(fact.items ? fieldsIn(fact.items) : []),
  ...(fact.additional ? fieldsIn(fact.additional) : []),
]
