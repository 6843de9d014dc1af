/** The host of an address with or without its protocol: lower case, without `www.` and port; null: it has none. */
export function hostOf(address: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === '' ? null : host.replace(/^www\./, '')
}

/** What people are told of a site by: its host. A text that the site chose has no place in a mail. */
export const siteName = (host: string | null): string => host ?? 'an install without an address'

/** What people are told of several sites by: each host once, with how many have it: `a.org, b.org (2)`. */
export function siteNames(hosts: readonly (string | null)[]): string {
  const counts = new Map<string, number>()
  for (const name of hosts.map(siteName)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ')
}
