import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import type { DeskProject, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery, withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'

export const projectPageQuery = ({ view, q }: ShowcaseFilter, offset: number) =>
  routeQuery(['content', 'projects', 'page', view, q, offset], deskProjectRoutes.listProjects, {
    query: { status: view, q: q === '' ? undefined : q, offset },
  })

export const deskProjectQuery = (id: number) =>
  routeQuery(['content', 'projects', 'one', id], deskProjectRoutes.getProject, { params: { id } })

/** Whether a project can be published at this URL. */
export const projectSlugQuery = (slug: string, id: number) =>
  routeQuery(['content', 'projects', 'slug', slug, id], deskPostRoutes.checkSlug, {
    params: { kind: 'project', slug },
    query: { id: String(id) },
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

interface SavedProject {
  revision: number
  content: ProjectContent
}

/** `onSaved` is called with what was sent, even if the component that saved it has been unmounted. */
export function useSaveProject(id: number, onSaved: (saved: DeskProject, sent: ProjectContent) => void) {
  const { put, refetch } = useCacheUpdates()
  return useMutation({
    mutationFn: (body: SavedProject) => call(deskProjectRoutes.saveProject, { params: { id }, body }),
    onSuccess(saved, { content }) {
      put(saved)
      onSaved(saved, content)
    },
    onSettled: () => void refetch(),
  })
}

export type ProjectAction = Exclude<ProjectStatus, 'pending'>

/** `onDecided` is called even if the component that decided has been unmounted. */
export function useDecideProject(id: number, onDecided: (action: ProjectAction) => void) {
  const { put, refetch } = useCacheUpdates()
  return useMutation({
    mutationFn: ({ action, reason }: { action: ProjectAction; reason: string; from: ProjectStatus }) =>
      call(deskProjectRoutes.decideProject, { params: { id }, body: { action, reason } }),
    onSuccess(project, { action }) {
      put(project)
      onDecided(action)
    },
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

/** Moves run one after another, because each is relative to the order that the one before results in. */
export const useOrderProjects = (onError: (error: Error) => void) =>
  useChange(['content'], withBody(deskProjectRoutes.orderProjects), { onError, scope: 'project order' })
