/** Hosts of XML namespaces and of documentation links that compilers embed. Nothing is ever fetched from them. */
const harmlessHosts: ReadonlySet<string> = new Set([
  'www.w3.org',
  'w3.org',
  'schemas.xmlsoap.org',
  'schemas.microsoft.com',
  'schemas.openxmlformats.org',
  'json-schema.org',
  'purl.org',
  'ns.adobe.com',
  'docs.rs',
  'doc.rust-lang.org',
])

/** Hosts that redirect to an address the reviewer cannot see. */
const shorteners: ReadonlySet<string> = new Set(
  'bit.ly t.co tinyurl.com goo.gl ow.ly is.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at t.ly lnkd.in tiny.cc v.gd'.split(
    ' ',
  ),
)

/** The host of `https://user@HOST:port/path` in lowercase, or an empty string. */
export function hostOf(address: string): string {
  const rest = address.slice(address.indexOf('://') + 3)
  const authority = /^[^/?#\\]*/.exec(rest)?.[0] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return (
    host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1 || undefined) : host.replace(/:\d*$/, '')
  ).toLowerCase()
}

export const isShortener = (host: string): boolean => shorteners.has(host.replace(/^www\./, ''))

/** An IPv4 address, including one written as a single number, or an IPv6 address. */
export const isIpHost = (host: string): boolean =>
  host.startsWith('[') || /^(?:\d{1,3}(?:\.\d{1,3}){3}|\d{8,10}|0x[0-9a-f]{1,8})$/.test(host)

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

export const isHarmlessAddress = (address: string): boolean => {
  const host = hostOf(address)
  return harmlessHosts.has(host) || isLoopback(host)
}

/** Loopback, unspecified and broadcast addresses, which any program may contain. */
export const isHarmlessIp = (ip: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|255\.255\.255\.\d+)$/.test(ip) || /^0*(?::0*)*:0*1?$/.test(ip)
