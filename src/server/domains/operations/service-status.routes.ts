import type { DeskServices, deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { may } from '../../../shared/may.ts'
import { EventStream } from '../../http/event-stream.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Slots } from '../../http/slots.ts'
import type { DeskEvents } from './desk-events.service.ts'
import type { ServiceStatus } from './service-status.service.ts'

export function serviceStatusHandlers(
  events: DeskEvents,
  services: ServiceStatus,
  findPerson: (session: number) => Person | null,
  streamSlots: Slots,
): Handlers<typeof deskServiceRoutes> {
  return {
    streamDeskEvents: ({ caller, clientKey, session, remote, query }) =>
      new EventStream((sink) => {
        const releaseSlot = streamSlots.take(clientKey)
        try {
          const close = events.open({
            ...sink,
            person: caller,
            desk: query.desk ?? null,
            remote,
            findPerson: () => (session === null ? null : findPerson(session)),
          })
          return () => {
            releaseSlot()
            close()
          }
        } catch (error) {
          releaseSlot()
          throw error
        }
      }),
    showPresence: ({ caller, body }) => events.showPresence(caller, body.desk, body.release),
    showWriting: ({ caller, body }) => events.showWriting(caller, body.desk, body.post, body.idleMs),
    async getServices({ caller, remote }) {
      const state = await services.getServices({
        openDesks: events.openDesks,
        deskPeople: may(caller.role, 'administrator') ? events.listPeople() : [],
      })
      return remote ? withoutFolders(state) : state
    },
  }
}

/** For the remote desk: without what only concerns the registry's computer. */
function withoutFolders(state: DeskServices): DeskServices {
  const { backups } = state
  const lastTested = backups.lastTested === null ? null : { ...backups.lastTested, file: '' }
  return {
    ...state,
    services: state.services.map((service) => ({ ...service, lastError: null })),
    workspace: null,
    dataFolder: '',
    backups: { ...backups, folder: '', lastTested },
  }
}
