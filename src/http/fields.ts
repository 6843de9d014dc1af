/** What `fields` names, or null for everything. Names that do not exist are ignored (DECISIONS 1.6). */
export function fieldNames(fields: string | undefined): ReadonlySet<string> | null {
  if (fields === undefined) return null
  const names = fields.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length === 0 ? null : new Set(given)
}

/**
 * Keeps the named fields of the items of a reply: of each item under `items`, otherwise of the reply itself.
 * The wrapper is never touched, and nothing that was not presented can be reached.
 */
export function pickFields(reply: unknown, names: ReadonlySet<string>, items: string | undefined): unknown {
  if (items === undefined) return pick(reply as object, names)
  const wrapper = reply as Record<string, readonly object[]>
  return { ...wrapper, [items]: wrapper[items]?.map((item) => pick(item, names)) }
}

const pick = (item: object, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
