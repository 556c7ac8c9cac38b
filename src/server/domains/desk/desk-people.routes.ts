import type { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import type { Handlers } from '../../http/mount.ts'
import type { DeskPeople } from './desk-people.service.ts'
import type { DeskSessions } from './desk-session.service.ts'

export function deskPeopleHandlers(
  people: DeskPeople,
  sessions: DeskSessions,
): Handlers<typeof deskPeopleRoutes> {
  return {
    listPeople: ({ caller }) => ({ items: people.listPeople(caller) }),
    getPerson: ({ caller, params, headers }) =>
      people.getPerson(caller, params.id, sessions.find(headers)?.id ?? null),
    addPerson: ({ caller, body: { subject, name, role } }) =>
      people.addPerson(caller, { subject, role, ...(name === undefined ? {} : { name }) }),
    updatePerson: ({ caller, params, body: { name, role } }) =>
      people.updatePerson(caller, params.id, {
        ...(name === undefined ? {} : { name }),
        ...(role === undefined ? {} : { role }),
      }),
    async removePerson({ caller, params }) {
      await people.removePerson(caller, params.id)
      return { success: true }
    },
    issuePersonToken: ({ caller, params, body }) => people.issuePersonToken(caller, params.id, body),
    async endPersonAccess({ caller, params }) {
      await people.endPersonAccess(caller, params.id, params.kind, params.access)
      return { success: true }
    },
    createSignInLink: ({ caller, params }) => people.createSignInLink(caller, params.id),
    listProviders: ({ caller }) => ({ items: people.listProviders(caller) }),
    testProvider: ({ caller, params }) => people.testProvider(caller, params.name),
  }
}
