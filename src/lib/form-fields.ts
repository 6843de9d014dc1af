type Fields = Record<string, unknown>

/** `sites[0][uid]`; more than two brackets are nobody's. */
const NESTED = /^(\w{1,64})\[(\w{1,64})\](?:\[(\w{1,64})\])?$/

/**
 * The fields of a form whose names say where they belong: `sites[0][uid]=a` → `{sites: {0: {uid: 'a'}}}`. Other
 * names stay as they are.
 */
export function nestedFields(form: object): Fields {
  const fields = empty()
  for (const [name, value] of Object.entries(form)) {
    const [, first, second, third] = NESTED.exec(name) ?? []
    if (first === undefined || second === undefined) {
      fields[name] = value
    } else if (third === undefined) {
      within(fields, first)[second] = value
    } else {
      within(within(fields, first), second)[third] = value
    }
  }
  return fields
}

/** The entries of what is a list in a form or in JSON, in their order; a single value is a list of it, empty text none. */
export function listOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value)
  return value === undefined || value === null || value === '' ? [] : [value]
}

/** Without a prototype, so that no name means more than itself. */
const empty = (): Fields => Object.create(null) as Fields

function within(fields: Fields, name: string): Fields {
  const known = fields[name]
  if (typeof known === 'object' && known !== null) return known as Fields
  const made = empty()
  fields[name] = made
  return made
}
