import type { deskLoginRoutes, loginRoutes } from '../../../shared/contracts/logins.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Logins } from './logins.service.ts'

/** The terminal's side of a login. */
export function loginHandlers(logins: Logins): Handlers<Pick<typeof loginRoutes, 'startLogin' | 'askLogin'>> {
  return {
    startLogin: ({ body, address, headers }) => logins.start(body.client, { address, headers }),
    askLogin: ({ body, address }) => logins.ask(body.deviceCode, address),
  }
}

/** The desk's side of a login. */
export function deskLoginHandlers(logins: Logins): Handlers<typeof deskLoginRoutes> {
  return {
    getLogin: ({ caller, params }) => logins.get(caller, params.userCode),
    confirmLogin: ({ caller, params, session }) => logins.confirm(caller, params.userCode, session),
    refuseLogin: ({ caller, params, session }) => logins.refuse(caller, params.userCode, session),
  }
}
