import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { DeskProject, ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/client.ts'
import type { RowsRead } from '../../lib/list-window.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'

/** Some pages of the list that follow each other. */
export interface ProjectRead extends RowsRead<ProjectRow> {
  counts: Record<ProjectStatus, number>
  submitted: number
}

const projectPageQuery = ({ view, q }: ShowcaseFilter, offset: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'page', view, q, offset],
    queryFn: ({ signal }) =>
      call(deskProjectRoutes.listProjects, {
        query: { status: view, q: q === '' ? undefined : q, offset },
        signal,
      }),
  })

/** What the list holds from one place to another, all pages of it at once. */
export const projectRangeQuery = (client: QueryClient, filter: ShowcaseFilter, from: number, to: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'range', filter, from, to],
    queryFn: async (): Promise<ProjectRead> => {
      const count = Math.max(1, Math.ceil((to - from) / deskPageSize))
      const pages = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          client.fetchQuery(projectPageQuery(filter, from + index * deskPageSize)),
        ),
      )
      // What was decided between two of the reads may stand in both of them.
      const rows = [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.id, row])).values()]
      const last = pages.at(-1)
      if (last === undefined) throw new Error('no page was read')
      return { from, rows, total: last.total, counts: last.counts, submitted: last.submitted }
    },
  })

export const deskProjectQuery = (id: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'one', id],
    queryFn: ({ signal }) => call(deskProjectRoutes.getProject, { params: { id }, signal }),
  })

/** Whether a project may be public at this address. */
export const projectSlugQuery = (slug: string, id: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'slug', slug, id],
    queryFn: ({ signal }) =>
      call(deskPostRoutes.checkSlug, {
        params: { kind: 'project', slug },
        query: { id: String(id) },
        signal,
      }),
  })

/** What each change makes old: the lists, the counts and the pictures, which name what uses them. */
function useChanged() {
  const client = useQueryClient()
  return {
    put(project: DeskProject): void {
      client.setQueryData(deskProjectQuery(project.id).queryKey, project)
    },
    /** Nobody is to ask for it again. */
    forget: (id: number) => client.removeQueries({ queryKey: deskProjectQuery(id).queryKey }),
    readAgain: () => client.invalidateQueries({ queryKey: ['content'] }),
  }
}

export function useSaveProject(id: number) {
  const { put, readAgain } = useChanged()
  return useMutation({
    mutationFn: (body: { revision: number; content: ProjectContent }) =>
      call(deskProjectRoutes.saveProject, { params: { id }, body }),
    onSuccess: put,
    onSettled: () => void readAgain(),
  })
}

export type ProjectAction = Exclude<ProjectStatus, 'pending'>

export function useDecideProject(id: number) {
  const { put, readAgain } = useChanged()
  return useMutation({
    mutationFn: (body: { action: ProjectAction; reason: string }) =>
      call(deskProjectRoutes.decideProject, { params: { id }, body }),
    onSuccess: put,
    // Somebody may have been faster, and the project says who. Nobody waits for these reads.
    onSettled: () => void readAgain(),
  })
}

export function useDeleteProject(id: number) {
  const { forget, readAgain } = useChanged()
  return useMutation({
    mutationFn: () => call(deskProjectRoutes.deleteProject, { params: { id } }),
    onSuccess: () => forget(id),
    onSettled: () => void readAgain(),
  })
}

export function useFeatureProject() {
  const { readAgain } = useChanged()
  return useMutation({
    mutationFn: ({ id, featured }: { id: number; featured: boolean }) =>
      call(deskProjectRoutes.featureProject, { params: { id }, body: { featured } }),
    onSettled: readAgain,
  })
}

export function useOrderProjects() {
  const { readAgain } = useChanged()
  return useMutation({
    mutationFn: (body: { id: number; before: number | null }) =>
      call(deskProjectRoutes.orderProjects, { body }),
    onSettled: readAgain,
  })
}
