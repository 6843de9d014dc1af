import type { Webhook } from '../../../../src/events/listeners/schema.ts'

/** What is to be known of a listener. */
export type Known = Pick<Webhook, 'id' | 'url'>

/** Where listeners are, by their ids: the host, with the path where that is of several, with the number where both are. */
export function listenerNames(webhooks: readonly Known[]): ReadonlyMap<string, string> {
  const forms = webhooks.map(({ id, url }) => {
    const { host, pathname } = new URL(url)
    const whole = `${host}${decoded(pathname)}`
    return { id, forms: [host, whole, `${host} #${id}`] }
  })
  const isOfOne = (form: string, at: number) => forms.filter((one) => one.forms[at] === form).length === 1
  return new Map(forms.map((one) => [one.id, one.forms.find(isOfOne) ?? `#${one.id}`]))
}

/** As it was written: a role that may not see the path has `…` in its place. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
