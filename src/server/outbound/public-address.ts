import { BlockList, isIPv6 } from 'node:net'

/** IPv4 networks that are not on the public internet (IANA's special-purpose registry), and multicast. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Public IPv6 addresses are in 2000::/3; these networks are excepted, because they contain IPv4 addresses or are examples. */
const globalIpv6 = '2000::/3'
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const refusedIpv4 = listOf(specialIpv4, 'ipv4')
const allowedIpv6 = listOf([globalIpv6], 'ipv6')
const refusedIpv6 = listOf(specialIpv6, 'ipv6')

/** Whether an IP address is on the public internet: not this computer, a local network or a reserved one. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !refusedIpv4.check(address, 'ipv4')
  return allowedIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
}
