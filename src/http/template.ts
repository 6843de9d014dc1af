import { Eta } from 'eta'

const eta = new Eta()

/**
 * What writes HTML out of a template: `<%= it.x %>` is escaped, `<%~ it.x %>` is HTML already. It is compiled at its first
 * use.
 */
export function template<Values extends object>(text: string): (values: Values) => string {
  let compiled: ReturnType<typeof eta.compile> | undefined
  return (values) => eta.render((compiled ??= eta.compile(text)), values)
}
