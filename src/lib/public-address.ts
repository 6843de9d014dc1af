import { BlockList, isIP } from 'node:net'

/**
 * What is no host of the internet: this machine, private networks, links, metadata, documentation, multicast; and
 * 168.63.129.16, by which each machine of Azure reaches its platform.
 */
const IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** Of what is global: documentation, and ranges that carry an IPv4 address. */
const IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const listOf = (text: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of text.split(/\s+/)) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const notPublic = { ipv4: listOf(IPV4, 'ipv4'), ipv6: listOf(IPV6, 'ipv6') }
const global = listOf('2000::/3', 'ipv6')

/**
 * Whether an address is a host of the internet that anybody may be asked to call (`docs/decisions.md` 6.8,
 * `docs/security-checks.md` S29).
 */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !notPublic.ipv4.check(address, 'ipv4')
  if (kind !== 6 || address.includes('%')) return false
  return global.check(address, 'ipv6') && !notPublic.ipv6.check(address, 'ipv6')
}

/** The address that a URL names by digits, without brackets; null: it names a host. */
export function addressIn(url: string): string | null {
  const host = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : host
}

/** Whether a host is this machine by its name alone. */
export const isLocalName = (host: string): boolean => /^(.+\.)?localhost\.?$/i.test(host)
