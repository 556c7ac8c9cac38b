/** Which images are listed, and whose details are open. Kept in the URL. */
export interface MediaFilter {
  use: 'all' | 'used' | 'unused'
  /** The digest of the image whose details are open. */
  picture: string | null
}

const uses = ['all', 'used', 'unused'] as const

export function readMediaFilter(search: string): MediaFilter {
  const params = new URLSearchParams(search)
  const picture = params.get('picture') ?? ''
  return {
    use: uses.find((use) => use === params.get('use')) ?? 'all',
    picture: /^[a-f0-9]{64}$/.test(picture) ? picture : null,
  }
}

export function mediaPath({ use, picture }: MediaFilter): string {
  const params = new URLSearchParams()
  if (use !== 'all') params.set('use', use)
  if (picture !== null) params.set('picture', picture)
  return params.size === 0 ? '/content/media' : `/content/media?${params.toString()}`
}
