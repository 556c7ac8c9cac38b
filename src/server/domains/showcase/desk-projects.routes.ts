import type { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { Handlers } from '../../http/mount.ts'
import type { ProjectEditing } from './edit-project.service.ts'

export function deskProjectHandlers(projects: ProjectEditing): Handlers<typeof deskProjectRoutes> {
  return {
    listProjects: ({ query }) => projects.listProjects(query),
    getProject: ({ params }) => projects.getProject(params.id),
    saveProject: ({ params, body }) => projects.saveProject(params.id, body),
    async deleteProject({ params }) {
      await projects.deleteProject(params.id)
      return { success: true }
    },
    decideProject: ({ caller, params, body }) => projects.decideProject(caller, params.id, body),
    async featureProject({ params, body }) {
      await projects.featureProject(params.id, body.featured)
      return { success: true }
    },
    async orderProjects({ body }) {
      await projects.orderProjects(body.id, body.before)
      return { success: true }
    },
  }
}
