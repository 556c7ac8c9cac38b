import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { DeskProject, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/server/client.ts'
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
