/** The host of an external issuer; empty for people of this registry itself. */
export function providerOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? ''
}
