import { createContext, useContext } from 'react'
import { deskAgentProjectRoutes } from '../../../shared/contracts/desk-agents-project.ts'
import { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import { deskAuditLogRoutes } from '../../../shared/contracts/desk-audit-log.ts'
import { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskReviewRoutes } from '../../../shared/contracts/desk-review.ts'
import { deskOperationRoutes, deskSettingsRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { may } from '../../../shared/may.ts'
import { isRemote } from './remote.ts'

/** The access that each area needs, which is that of the endpoint that it is about. */
const accessOf = {
  review: deskReviewRoutes.listQueue.access,
  release: deskReviewRoutes.listQueue.access,
  reasons: deskDecisionRoutes.listReasons.access,
  content: deskPostRoutes.listPosts.access,
  agents: deskAgentProjectRoutes.getAgentProject.access,
  history: deskAuditLogRoutes.listAuditLog.access,
  people: deskPeopleRoutes.listPeople.access,
  services: deskOperationRoutes.controlService.access,
  settings: deskSettingsRoutes.getSettings.access,
} as const

/** The areas that only the desk on the registry's own computer has. */
const localAreas = ['agents', 'services']

const areaOf = (path: string): string => path.split('/')[1] ?? ''

/** Whether the remote desk does not have a page, whatever the role. */
export const isOnlyLocal = (path: string): boolean => isRemote && localAreas.includes(areaOf(path))

/** The access that a page of the desk needs. */
export function accessTo(path: string): 'person' | (typeof accessOf)[keyof typeof accessOf] {
  const area = areaOf(path)
  return area in accessOf ? accessOf[area as keyof typeof accessOf] : 'person'
}

export const mayOpen = (role: Role, path: string): boolean => !isOnlyLocal(path) && may(role, accessTo(path))

/** The first area that a role may open. */
export function startPageOf(role: Role): string {
  return ['/review', '/content'].find((path) => mayOpen(role, path)) ?? '/own'
}

/** The role of the signed-in person. */
export const OwnRole = createContext<Role>('developer')

/** Whether the signed-in person may call endpoints with this access. */
export const useMay = (access: Parameters<typeof may>[1]): boolean => may(useContext(OwnRole), access)

/** Whether the signed-in person may open a page, so that it can be linked. */
export const useMayOpen = (path: string): boolean => useMay(accessTo(path))
