import type { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import type { Handlers } from '../../http/mount.ts'
import type { ProjectEditing } from './edit-project.service.ts'

export function deskProjectHandlers(projects: ProjectEditing): Handlers<typeof deskProjectRoutes> {
  return {
    listProjects: ({ caller, query }) => projects.listProjects(caller, query),
    getProject: ({ caller, params }) => projects.getProject(caller, params.id),
    saveProject: ({ caller, params, body }) => projects.saveProject(caller, params.id, body),
    async deleteProject({ caller, params }) {
      await projects.deleteProject(caller, params.id)
      return { success: true }
    },
    decideProject: ({ caller, params, body }) => projects.decideProject(caller, params.id, body),
    async featureProject({ caller, params, body }) {
      await projects.featureProject(caller, params.id, body.featured)
      return { success: true }
    },
    async orderProjects({ caller, body }) {
      await projects.orderProjects(caller, body.id, body.before)
      return { success: true }
    },
  }
}
