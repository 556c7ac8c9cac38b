/** The host of an external issuer; empty for local accounts. */
export function providerOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? ''
}
