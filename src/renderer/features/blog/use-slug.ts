import { useQuery } from '@tanstack/react-query'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { slugQuery } from './blog.api.ts'
import { slugProblem } from './post-content.ts'

type SlugState =
  | { state: 'unknown' }
  | { state: 'free' }
  /** With a similar slug that is available. */
  | { state: 'taken'; suggestion: string | null }

/** Whether a slug is available, checked after a pause in typing. */
export function useSlug(post: number, slug: string): SlugState {
  const debounced = useDebounced(slug, 300)
  const usable = slugProblem(debounced) === null
  const { data } = useQuery({ ...slugQuery(debounced, post), enabled: usable })
  if (!usable || debounced !== slug || data === undefined) return { state: 'unknown' }
  return data.free ? { state: 'free' } : { state: 'taken', suggestion: data.suggestion }
}
