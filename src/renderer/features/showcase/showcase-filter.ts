import { projectStatuses } from '../../../shared/contracts/desk-projects.ts'
import type { ProjectStatus } from '../../../shared/contracts/desk-projects.ts'

/** Which projects are listed. Kept in the URL. */
export interface ShowcaseFilter {
  view: ProjectStatus
  q: string
}

export function readShowcaseFilter(search: string): ShowcaseFilter {
  const params = new URLSearchParams(search)
  return {
    view: projectStatuses.find((status) => status === params.get('view')) ?? 'pending',
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

/** The path of a project, or of the list, with a filter. Defaults are left out. */
export function showcasePath(id: number | null, { view, q }: ShowcaseFilter): string {
  const params = new URLSearchParams()
  if (view !== 'pending') params.set('view', view)
  if (q !== '') params.set('q', q)
  const path = id === null ? '/content/showcase' : `/content/showcase/${id}`
  return params.size === 0 ? path : `${path}?${params.toString()}`
}
