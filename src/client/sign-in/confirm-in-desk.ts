import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { loginClientSchema, loginRoutes } from '../../shared/contracts/logins.ts'
import type { LoginAnswer, StartedLogin } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { isConfirmPage, openPage } from './open-page.ts'
import { isLoopback } from '../registry/registry-address.ts'
import type { Registry } from '../registry/registry.ts'
import { texts } from './sign-in.texts.ts'
import { plainLine } from '../terminal/terminal.ts'

/** A minute longer than a code is valid: usually the registry reports that it has expired. */
const maxWaitMs = 11 * 60_000
/** Minimum milliseconds between two requests, whatever the registry says. */
const minPauseMs = 1000
const maxPauseMs = 60_000

type Confirmed = Extract<LoginAnswer, { state: 'confirmed' }>

/** Shows a code and resolves to the new token once the code has been confirmed in the desk. */
export async function confirmInDesk(
  context: Context,
  registry: Registry,
  mayOpen: boolean,
): Promise<Confirmed> {
  const login = await start(registry)
  show(context, registry, login)
  const isOwn = isConfirmPage(login.confirmUrl, login.userCode, registry.address)
  if (mayOpen && isOwn && context.config.canShowPages && context.terminal.isInteractive) {
    openPage(login.confirmUrl)
    context.terminal.line(context.terminal.style('dim', texts.code.opening))
  }
  context.terminal.status(texts.code.waiting)
  try {
    return await pollUntilConfirmed(context, registry, login)
  } finally {
    context.terminal.status('')
  }
}

async function start(registry: Registry): Promise<StartedLogin> {
  try {
    return await registry.call(loginRoutes.startLogin, { body: { client: clientName(hostname()) } })
  } catch (error) {
    if (!(error instanceof ClientError) || error.exitCode !== exitCodes.notFound) throw error
    throw new ClientError(exitCodes.notFound, texts.code.notSupported(registry.address.host), {
      code: 'LOGIN_UNKNOWN',
      cause: error,
    })
  }
}

/** The name of the token in the desk, from the host name without invisible characters. */
export function clientName(host: string): string {
  const isSeen = (one: string): boolean => one === ' ' || loginClientSchema.safeParse(one).success
  const seen = [...host.normalize('NFC')].filter(isSeen)
  const name = seen.slice(0, 40).join('').trim()
  return name === '' ? 'skill' : `skill on ${name}`
}

function show({ terminal }: Context, registry: Registry, { userCode, confirmUrl }: StartedLogin): void {
  terminal.line(texts.code.confirm(registry.address.host))
  terminal.line()
  terminal.line(`  ${terminal.style('bold', plainLine(userCode))}`)
  terminal.line(`  ${plainLine(confirmUrl)}`)
  terminal.line()
  const isOnThatComputer = URL.canParse(confirmUrl) && isLoopback(new URL(confirmUrl))
  if (isOnThatComputer && !isLoopback(registry.address)) terminal.line(texts.code.elsewhere)
  terminal.note(texts.code.expires)
}

async function pollUntilConfirmed(
  { terminal, signal }: Context,
  registry: Registry,
  login: StartedLogin,
): Promise<Confirmed> {
  const deadline = performance.now() + maxWaitMs
  let pause = login.intervalSeconds * 1000
  let lastError: ClientError | null = null
  while (performance.now() < deadline) {
    await wait(Math.min(Math.max(pause, minPauseMs), maxPauseMs), undefined, { signal })
    pause = login.intervalSeconds * 1000
    try {
      const { deviceCode } = login
      const answer = await registry.call(loginRoutes.askLogin, { body: { deviceCode } })
      if (answer.state === 'confirmed') return answer
      if (answer.state === 'refused') throw refused()
      // It is still waiting, so no token was lost with an earlier answer.
      lastError = null
    } catch (error) {
      const former = lastError
      lastError = assertTemporary(error, former !== null)
      if (lastError.retryAfter !== null) pause = lastError.retryAfter * 1000
      if (lastError.message === former?.message) continue
      terminal.note(texts.code.retrying(lastError.message))
    }
  }
  throw over(lastError !== null)
}

const refused = (): ClientError =>
  new ClientError(exitCodes.notAllowed, texts.code.denied, { code: 'LOGIN_REFUSED' })

/**
 * Returns a temporary error, such as a busy registry, and throws any other. `wasLost`: whether an answer may have been
 * lost before. The registry sends the token only once.
 */
function assertTemporary(error: unknown, wasLost: boolean): ClientError {
  if (!(error instanceof ClientError)) throw error
  if (error.exitCode === exitCodes.notFound) throw over(wasLost, error)
  const isBusy = error.exitCode === exitCodes.refused && error.retryAfter !== null
  if (error.exitCode === exitCodes.unreachable || isBusy) return error
  throw error
}

const over = (wasLost: boolean, cause?: ClientError): ClientError =>
  new ClientError(exitCodes.notAllowed, texts.code.over(wasLost), { code: 'LOGIN_OVER', cause })
