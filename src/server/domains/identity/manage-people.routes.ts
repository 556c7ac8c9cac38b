import type { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { PeopleManagement } from './manage-people.service.ts'

export function managePeopleHandlers(people: PeopleManagement): Handlers<typeof deskPeopleRoutes> {
  return {
    listPeople: async (call) => new JsonBytes(await people.listPeople(call.untilGone())),
    getPerson: ({ params, session }) => people.getPerson(params.id, session),
    addPerson: ({ body }) => people.addPerson(body),
    updatePerson: ({ params, body }) => people.updatePerson(params.id, body),
    removePerson: ({ params }) => people.removePerson(params.id),
    issuePersonToken: ({ params, body }) => people.issuePersonToken(params.id, body),
    endPersonAccess: ({ params }) => people.endPersonAccess(params.id, params.kind, params.access),
    createSignInLink: ({ params }) => people.createSignInLink(params.id),
    listProviders: () => ({ items: people.listProviders() }),
    testProvider: ({ params }) => people.testProvider(params.name),
  }
}
