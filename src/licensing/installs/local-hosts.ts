import { hostOf } from '../../lib/hosts.ts'

/**
 * Hosts that are clearly no production site; the rules that clients apply too (`docs/interface.md` 5.4).
 * `contains` is looked for in the whole address.
 */
const LOCAL = {
  contains: ['127.0.0.1', 'localhost'],
  prefix: ['local.', 'dev.', 'test.', 'stage.', 'staging'],
  suffix:
    `.dev .test .staging .local .example .invalid .myftpupload.com .ngrok.io .wpsandbox.pro .wpengine.com
    .wpenginepowered.com .cloudwaysapps.com .dev.cc .mystagingwebsite.com .tempurl.host .wpmudev.host
    .websitepro-staging.com .websitepro.hosting .instawp.co .instawp.link .instawp.xyz -dev.10web.site
    -dev.10web.cloud`.split(/\s+/),
  both: [
    { prefix: ['test-', 'dev-'], suffix: ['pantheonsite.io'] },
    { prefix: ['stg-', 'staging-', 'env-'], suffix: ['.kinsta.com', '.kinsta.cloud'] },
  ],
} as const

/** Whether an address is a local, staging or development site's. */
export function isLocalAddress(address: string): boolean {
  const text = address.toLowerCase()
  const host = hostOf(address) ?? text
  const startsWith = (list: readonly string[]) => list.some((part) => host.startsWith(part))
  const endsWith = (list: readonly string[]) => list.some((part) => host.endsWith(part))
  return (
    LOCAL.contains.some((part) => text.includes(part)) ||
    startsWith(LOCAL.prefix) ||
    endsWith(LOCAL.suffix) ||
    LOCAL.both.some(({ prefix, suffix }) => startsWith(prefix) && endsWith(suffix))
  )
}

/** The domains that a host is a subdomain of, the nearest first; a top-level domain is none. */
export function domainsAbove(host: string): string[] {
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return []
  const labels = host.split('.')
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
}

/** Whether a host is what a pattern names: a host and its subdomains, or, with `*`, what fits in its place. */
export function fitsPattern(host: string, pattern: string): boolean {
  if (!pattern.includes('*')) return host === pattern || host.endsWith(`.${pattern}`)
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  if (!host.startsWith(first) || !host.endsWith(last) || host.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of rest) {
    const found = host.indexOf(part, at)
    if (found === -1 || found + part.length > host.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** Words by which the host of a site that is worked on is told from one that is used. */
const AT_WORK = new Set(
  'local dev devel develop development test tests testing qa uat stage staging stg preview sandbox demo'.split(
    ' ',
  ),
)

/** Whether a pattern names only hosts that say themselves that they are local, staging or development sites. */
export const namesSitesAtWork = (pattern: string): boolean =>
  isLocalAddress(pattern) || pattern.split(/[._-]/).some((word) => AT_WORK.has(word))
