import entitiesJson from './entities.json' with { type: 'json' }
import operationsJson from './operations.json' with { type: 'json' }

/** One argument or field as the contract has it; what is not written is false or not known. */
export interface Fact {
  readonly type: string
  /** A second type, where the contract's two sources differ. */
  readonly type_public_api?: string
  readonly format?: string
  /** How certain the kind of a number is: `integer-…`, `float-…`, `unqualified`. */
  readonly number_kind?: string
  readonly nullable?: boolean
  readonly required?: boolean
  readonly enum?: readonly (string | number)[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Fact
  readonly fields?: Facts
  /** What stands under every other key of a map. */
  readonly additional?: Fact
  /** More keys may come, of any kind. */
  readonly open?: boolean
  /** The entity whose fields these are. */
  readonly entity?: string
  /** Further entities whose fields are among these. */
  readonly others?: readonly Fact[]
}

export type Facts = Readonly<Record<string, Fact>>

export interface ContractOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: Facts
  readonly body?: { readonly fields: Facts }
  readonly success: number
  /** What is answered, by status, in the contract's own notation. */
  readonly responses: Readonly<Record<string, string>>
}

/** Operations that the contract lists once more for another scope: with us they are one, served in both. */
const TWINS: Readonly<Record<string, string>> = {
  'payments/list-in-developer-scope': 'payments/list',
  'payments/list-in-user-scope': 'users/list-payments',
}

/** Which operation of ours serves one of the contract. */
export const ourId = ({ id }: ContractOperation): string => TWINS[id] ?? id

interface Entity {
  readonly fields: Facts
}

export const contractOperations = operationsJson as unknown as readonly ContractOperation[]

const entities = entitiesJson as unknown as Readonly<Record<string, Entity>>

/** The names of all entities of the contract, with those of their fields. */
export const entityFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(entities).map(([name, { fields }]) => [name, Object.keys(fields)]),
)

/** An entity of the contract by its name. */
export function entityFact(name: string): Fact {
  const found = entities[name]
  if (!found) throw new Error(`the contract has no entity ${name}`)
  return { type: 'object', fields: found.fields, entity: name }
}
