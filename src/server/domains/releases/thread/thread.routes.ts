import type { deskThreadRoutes, threadRoutes } from '../../../../shared/contracts/thread.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Threads } from './thread.service.ts'

export function threadHandlers(threads: Threads): Handlers<typeof threadRoutes> {
  return {
    getOwnThread: ({ caller, params }) => threads.getOwnThread(caller, params),
    answerReview: ({ caller, params, body }) => threads.answer(caller, params, body),
    getReviewThread: ({ params }) => threads.getReviewThread(params),
    askPublisher: ({ caller, params, body }) => threads.ask(caller, params, body),
    async withdrawChangeRequest({ caller, params }) {
      await threads.withdrawChangeRequest(caller, params)
      return { success: true }
    },
  }
}

/** The same for the desk. */
export function deskThreadHandlers(threads: Threads): Handlers<typeof deskThreadRoutes> {
  return {
    getDeskThread: ({ caller, params }) => threads.getOwnThread(caller, params),
    answerDeskReview: ({ caller, params, body }) => threads.answer(caller, params, body),
    askDeskPublisher: ({ caller, params, body }) => threads.ask(caller, params, body),
    async withdrawDeskChangeRequest({ caller, params }) {
      await threads.withdrawChangeRequest(caller, params)
      return { success: true }
    },
  }
}
