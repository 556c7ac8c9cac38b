import { postStates } from '../../../shared/contracts/desk-posts.ts'
import { choice, searched, viewFilter } from '../../lib/list/view-filter.ts'

/** Which posts are listed. */
export const blogFilter = viewFilter('/content/blog', { state: choice(postStates, null), q: searched })
export type BlogFilter = typeof blogFilter.defaults
