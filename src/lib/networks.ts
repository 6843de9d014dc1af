import { BlockList, isIP } from 'node:net'

/** Whether a text is an address or a network such as `10.0.0.0/8`. */
export function isNetwork(value: string): boolean {
  const [address = '', prefix] = value.split('/')
  const kind = isIP(address)
  if (kind === 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (kind === 4 ? 32 : 128)
}

/** Whether an address is one of these addresses or in one of these networks. */
export function networkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
