import type { IncomingHttpHeaders } from 'node:http'
import type { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
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
  findPerson: (headers: IncomingHttpHeaders) => Person | null,
  streamSlots: Slots,
  backUpNow: () => void,
): Handlers<typeof deskServiceRoutes> {
  return {
    streamDeskEvents: ({ caller, clientKey, headers, query }) =>
      new EventStream((sink) => {
        const releaseSlot = streamSlots.take(clientKey)
        try {
          const close = events.open({
            ...sink,
            person: caller,
            desk: query.desk ?? null,
            findPerson: () => findPerson(headers),
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
    showPresence({ caller, body }) {
      events.showPresence(caller, body.desk, body.release)
      return { success: true }
    },
    showWriting({ caller, body }) {
      events.showWriting(caller, body.desk, body.post, body.idleMs)
      return { success: true }
    },
    backUpNow() {
      backUpNow()
      return { success: true }
    },
    getServices: ({ caller }) =>
      services.getServices({
        openDesks: events.openDesks,
        deskPeople: may(caller.role, 'administrator') ? events.listPeople() : [],
      }),
  }
}
