import { loginRoutes } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { texts } from './commands.texts.ts'
import { readCredential, removeCredential } from '../sign-in/credentials.ts'
import type { Credential } from '../sign-in/credentials.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { withToken } from '../sign-in/token.ts'
import { isInterrupted } from '../to-client-error.ts'

/** What happened to the token at the registry. Until it is revoked, every copy of it stays valid. */
interface TokenEnd {
  state: 'ended' | 'was over' | 'kept' | 'not ended'
  /** Why it was not revoked, or null. */
  reason: string | null
  /** Whether an identity provider issued the token; `reason` then says where to revoke it. */
  isForeign?: boolean
  exitCode: number
}

/** Revokes the saved token at the registry and removes it from this computer. */
export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Sign out: revoke the saved token and remove it',
  usage: ['[--keep-token]'],
  about: `Revokes the token at the registry, so that no copy of it is valid, and removes it from this computer.`,
  options: {
    'keep-token': { type: 'boolean', help: 'only remove it here, for a token that is also used elsewhere' },
  },
  notes: `If the registry cannot be reached, the token is still removed here. The command then shows when the token
expires, and exits with 6. A token from an identity provider must be revoked there.

  skill logout`,
  async run(context, _positionals, options) {
    const registry = context.registry()
    const { address } = registry
    const credential = await readCredential(context.config, address)
    const end = credential === null ? null : await endToken(registry, credential, options.flag('keep-token'))
    if (credential !== null) await removeCredential(context, address, credential)
    return {
      data: {
        registry: registry.url,
        wasSignedIn: credential !== null,
        token: end?.state ?? null,
        reason: end?.reason ?? null,
      },
      exitCode: end?.exitCode ?? exitCodes.done,
      print(terminal) {
        if (credential === null || end === null) terminal.line(texts.logout.notSignedIn(address.host))
        else print(terminal, registry, credential, end)
        warnAboutVariable(terminal, context)
      },
    }
  },
}

async function endToken(registry: Registry, { token }: Credential, isKept: boolean): Promise<TokenEnd> {
  if (isKept) return { state: 'kept', reason: null, exitCode: exitCodes.done }
  try {
    await withToken(registry, token).call(loginRoutes.endOwnToken)
    return { state: 'ended', reason: null, exitCode: exitCodes.done }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (isOver(error)) return { state: 'was over', reason: null, exitCode: exitCodes.done }
    if (isInterrupted(error)) throw error
    const isForeign = error.code === 'VALIDATION_FAILED'
    return {
      state: 'not ended',
      reason: error.message,
      isForeign,
      exitCode: isForeign ? exitCodes.done : error.exitCode,
    }
  }
}

/** Revoked, expired, or from before the registry was set up again: no longer accepted. */
const isOver = ({ code }: ClientError): boolean =>
  ['TOKEN_REVOKED', 'TOKEN_EXPIRED', 'TOKEN_INVALID'].includes(code)

function print(
  terminal: Terminal,
  registry: Registry,
  { person, expiresAt }: Credential,
  end: TokenEnd,
): void {
  const { signedOut, revoked, notValid, stillValid, revoke } = texts.logout
  const until = texts.logout.until(expiresAt?.slice(0, 10) ?? null)
  terminal.line(signedOut(registry.address.host, plainLine(person)))
  if (end.state === 'ended') terminal.line(revoked)
  if (end.state === 'was over') terminal.line(notValid)
  if (end.state === 'kept') terminal.line(stillValid + until)
  if (end.state === 'not ended') {
    terminal.line(end.reason ?? '')
    terminal.line(terminal.style('yellow', stillValid) + until + (end.isForeign === true ? '' : revoke))
  }
}

function warnAboutVariable(terminal: Terminal, { config }: Context): void {
  if (config.token !== null) terminal.line(texts.logout.variable)
}
