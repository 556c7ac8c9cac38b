import type { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { Handlers } from '../../http/mount.ts'
import type { ProjectEditing } from './edit-project.service.ts'

export function deskProjectHandlers(projects: ProjectEditing): Handlers<typeof deskProjectRoutes> {
  return {
    listProjects: ({ query }) => projects.listProjects(query),
    getProject: ({ params }) => projects.getProject(params.id),
    saveProject: ({ params, body }) => projects.saveProject(params.id, body),
    deleteProject: ({ params }) => projects.deleteProject(params.id),
    decideProject: ({ caller, params, body }) => projects.decideProject(caller, params.id, body),
    featureProject: ({ params, body }) => projects.featureProject(params.id, body.featured),
    orderProjects: ({ body }) => projects.orderProjects(body.id, body.before),
  }
}
