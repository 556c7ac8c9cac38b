import type { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Slots } from '../../http/slots.ts'
import type { DeskAccess } from './desk-access.service.ts'
import { deskDecisionHandlers } from './desk-decisions.routes.ts'
import type { DeskDecisionServices } from './desk-decisions.routes.ts'
import type { DeskEvents } from './desk-events.service.ts'
import { deskFindingHandlers } from './desk-findings.routes.ts'
import type { DeskFindingServices } from './desk-findings.routes.ts'
import { deskHistoryHandlers } from './desk-history.routes.ts'
import type { DeskHistory } from './desk-history.service.ts'
import { deskOwnHandlers } from './desk-own.routes.ts'
import type { OwnReleaseList, TakeSubmission } from './desk-own.routes.ts'
import { deskPeopleHandlers } from './desk-people.routes.ts'
import type { DeskPeople } from './desk-people.service.ts'
import { deskReviewHandlers } from './desk-review.routes.ts'
import type { DeskReviewServices } from './desk-review.routes.ts'
import { deskServiceHandlers } from './desk-services.routes.ts'
import type { DeskServicesService } from './desk-services.service.ts'
import { deskSessionHandlers } from './desk-session.routes.ts'
import type { DeskSessions } from './desk-session.service.ts'
import { deskSettingsHandlers } from './desk-settings.routes.ts'
import type { DeskOperations } from './desk-settings.routes.ts'
import type { SignIn } from './sign-in.service.ts'

export interface DeskHandlerServices extends DeskReviewServices, DeskDecisionServices, DeskFindingServices {
  sessions: DeskSessions
  signIn: SignIn
  events: DeskEvents
  services: DeskServicesService
  people: DeskPeople
  own: OwnReleaseList
  takeSubmission: TakeSubmission
  history: DeskHistory
  access: DeskAccess
  /** Limits the open event streams. */
  streamSlots: Slots
  operations: DeskOperations
}

/** The desk's whole interface. */
export function deskHandlers(parts: DeskHandlerServices): Handlers<typeof deskRoutes> {
  const { sessions, signIn, events, services, people, own, access, history } = parts
  return {
    ...deskSessionHandlers(sessions, signIn),
    ...deskServiceHandlers(events, services, sessions, parts.streamSlots),
    ...deskReviewHandlers(parts),
    ...deskDecisionHandlers(parts),
    ...deskFindingHandlers(parts),
    ...deskHistoryHandlers(history),
    ...deskPeopleHandlers(people, sessions),
    ...deskOwnHandlers(own, parts.takeSubmission, access, sessions),
    ...deskSettingsHandlers(parts.operations),
  }
}
