import { postStates } from '../../../shared/contracts/desk-posts.ts'
import type { PostState } from '../../../shared/contracts/desk-posts.ts'

/** Which posts are listed. Kept in the URL. */
export interface BlogFilter {
  state: PostState | null
  q: string
}

export const allPosts: BlogFilter = { state: null, q: '' }

export function readBlogFilter(search: string): BlogFilter {
  const params = new URLSearchParams(search)
  return {
    state: postStates.find((state) => state === params.get('state')) ?? null,
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

export function blogPath({ state, q }: BlogFilter): string {
  const params = new URLSearchParams({
    ...(state === null ? {} : { state }),
    ...(q === '' ? {} : { q }),
  })
  return params.size === 0 ? '/content/blog' : `/content/blog?${params.toString()}`
}
