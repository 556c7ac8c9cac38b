import type { threadRoutes } from '../../../../shared/contracts/thread.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Threads } from './thread.service.ts'

export function threadHandlers(threads: Threads): Handlers<typeof threadRoutes> {
  return {
    getOwnThread: ({ caller, params }) => threads.getOwnThread(caller, params),
    answerReview: ({ caller, params, body }) => threads.answer(caller, params, body),
    getReviewThread: ({ params }) => threads.getReviewThread(params),
    askPublisher: ({ caller, params, body }) => threads.ask(caller, params, body),
    withdrawChangeRequest: ({ caller, params }) => threads.withdrawChangeRequest(caller, params),
  }
}
