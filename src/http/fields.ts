/** What `fields` names, or null for everything. Names that do not exist are ignored (`docs/decisions.md` 1.6). */
export function fieldNames(fields: string | undefined): ReadonlySet<string> | null {
  if (fields === undefined) return null
  const names = fields.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length === 0 ? null : new Set(given)
}

/**
 * Keeps the named fields of the items of a reply: of each item (or the one) under `items`, and under any
 * other key with the same list; otherwise of the reply itself. The wrapper is never touched, and nothing
 * that was not presented can be reached.
 */
export function pickFields(reply: unknown, names: ReadonlySet<string>, items: string | undefined): unknown {
  if (items === undefined) return pick(reply as object, names)
  const wrapper = reply as Record<string, object | readonly object[]>
  const whole = wrapper[items]
  if (whole === undefined) return wrapper
  const picked = Array.isArray(whole) ? whole.map((item: object) => pick(item, names)) : pick(whole, names)
  return Object.fromEntries(
    Object.entries(wrapper).map(([key, value]) => [key, value === whole ? picked : value]),
  )
}

const pick = (item: object, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
