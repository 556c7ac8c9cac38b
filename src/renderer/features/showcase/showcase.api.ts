import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { DeskProject, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/server/client.ts'
import { useChange } from '../../lib/server/use-change.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'

export const projectPageQuery = ({ view, q }: ShowcaseFilter, offset: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'page', view, q, offset],
    queryFn: ({ signal }) =>
      call(deskProjectRoutes.listProjects, {
        query: { status: view, q: q === '' ? undefined : q, offset },
        signal,
      }),
  })

export const deskProjectQuery = (id: number) =>
  queryOptions({
    queryKey: ['content', 'projects', 'one', id],
    queryFn: ({ signal }) => call(deskProjectRoutes.getProject, { params: { id }, signal }),
  })

/** Whether a project can be published at this URL. */
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

/** Cache updates after a change, which affects the lists, the counts and the use of images. */
function useCacheUpdates() {
  const client = useQueryClient()
  return {
    put(project: DeskProject): void {
      client.setQueryData(deskProjectQuery(project.id).queryKey, project)
    },
    /** Removes a deleted project, so that it is not fetched again. */
    forget: (id: number) => client.removeQueries({ queryKey: deskProjectQuery(id).queryKey }),
    refetch: () => client.invalidateQueries({ queryKey: ['content'] }),
  }
}

export function useSaveProject(id: number) {
  const { put, refetch } = useCacheUpdates()
  return useMutation({
    mutationFn: (body: { revision: number; content: ProjectContent }) =>
      call(deskProjectRoutes.saveProject, { params: { id }, body }),
    onSuccess: put,
    onSettled: () => void refetch(),
  })
}

export type ProjectAction = Exclude<ProjectStatus, 'pending'>

export function useDecideProject(id: number) {
  const { put, refetch } = useCacheUpdates()
  return useMutation({
    mutationFn: (body: { action: ProjectAction; reason: string }) =>
      call(deskProjectRoutes.decideProject, { params: { id }, body }),
    onSuccess: put,
    // Fetches who decided if someone else was first. Not awaited.
    onSettled: () => void refetch(),
  })
}

export function useDeleteProject(id: number) {
  const { forget, refetch } = useCacheUpdates()
  return useMutation({
    mutationFn: () => call(deskProjectRoutes.deleteProject, { params: { id } }),
    onSuccess: () => forget(id),
    onSettled: () => void refetch(),
  })
}

export function useFeatureProject() {
  return useChange(['content'], ({ id, featured }: { id: number; featured: boolean }) =>
    call(deskProjectRoutes.featureProject, { params: { id }, body: { featured } }),
  )
}

export function useOrderProjects() {
  return useChange(['content'], (body: { id: number; before: number | null }) =>
    call(deskProjectRoutes.orderProjects, { body }),
  )
}
