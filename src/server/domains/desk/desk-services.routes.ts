import type { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import { EventStream } from '../../http/event-stream.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Slots } from '../../http/slots.ts'
import type { DeskEvents } from './desk-events.service.ts'
import type { DeskServicesService } from './desk-services.service.ts'
import type { DeskSessions } from './desk-session.service.ts'

export function deskServiceHandlers(
  events: DeskEvents,
  services: DeskServicesService,
  sessions: DeskSessions,
  streamSlots: Slots,
): Handlers<typeof deskServiceRoutes> {
  return {
    streamDeskEvents: ({ caller, clientKey, headers, query }) =>
      new EventStream((sink) => {
        const leave = streamSlots.take(clientKey)
        try {
          const close = events.open({
            ...sink,
            person: caller,
            desk: query.desk ?? null,
            findPerson: () => sessions.findPerson(headers),
          })
          return () => {
            leave()
            close()
          }
        } catch (error) {
          leave()
          throw error
        }
      }),
    getServices: ({ caller }) =>
      services.getServices({
        openDesks: events.openDesks,
        deskPeople: caller.role === 'administrator' ? events.listPeople() : [],
      }),
  }
}
