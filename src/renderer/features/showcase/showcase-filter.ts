import { projectStatuses } from '../../../shared/contracts/desk-projects.ts'
import { choice, searched, viewFilter } from '../../lib/list/view-filter.ts'

/** Which projects are listed. */
export const showcaseFilter = viewFilter('/content/showcase', {
  view: choice(projectStatuses, 'pending'),
  q: searched,
})
export type ShowcaseFilter = typeof showcaseFilter.defaults
