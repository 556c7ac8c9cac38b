import { loginRoutes } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { readCredential, writeCredential } from '../sign-in/credentials.ts'
import type { Credential } from '../sign-in/credentials.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { withToken } from '../sign-in/token.ts'

/** What has become of the token itself: a copy of it would be good as long as it is. */
interface TokenEnd {
  state: 'ended' | 'was over' | 'kept' | 'not ended'
  /** Why it was not ended, or null. */
  reason: string | null
  exitCode: number
}

/** Ends the kept token at the registry and forgets it here. */
export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Sign out: end the kept token and forget it',
  usage: '[--keep-token]',
  help: `Tells the registry to end the token, so that no copy of it is good any more, and forgets it on this computer.

  --keep-token  Only forget it here, for a token that is used elsewhere as well

Where the registry cannot be told, the token is forgotten here all the same, the command says until when it is good,
and ends with 6. A token of another issuer is ended there.

  skill logout`,
  options: { 'keep-token': { type: 'boolean' } },
  words: { min: 0, max: 0 },
  async run(context, _words, options) {
    const registry = context.registry()
    const { address } = registry
    const credential = await readCredential(context.config, address)
    const end = credential === null ? null : await endToken(registry, credential, options.flag('keep-token'))
    await writeCredential(context, address, null)
    return {
      data: {
        registry: address.href.replace(/\/$/, ''),
        wasSignedIn: credential !== null,
        token: end?.state ?? null,
        reason: end?.reason ?? null,
      },
      exitCode: end?.exitCode ?? exitCodes.done,
      print(terminal) {
        if (credential === null || end === null) terminal.line(`You were not signed in at ${address.host}.`)
        else print(terminal, registry, credential, end)
        tellOfVariable(terminal, context)
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
    if (error.exitCode === exitCodes.interrupted) throw error
    const isForeign = error.code === 'VALIDATION_FAILED'
    return {
      state: 'not ended',
      reason: error.message,
      exitCode: isForeign ? exitCodes.done : error.exitCode,
    }
  }
}

/** Revoked, expired, or of a registry that was set up anew: nobody takes it any more. */
const isOver = ({ code }: ClientError): boolean =>
  ['TOKEN_REVOKED', 'TOKEN_EXPIRED', 'TOKEN_INVALID'].includes(code)

function print(
  terminal: Terminal,
  registry: Registry,
  { person, expiresAt }: Credential,
  end: TokenEnd,
): void {
  const until = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`
  terminal.line(`You are signed out at ${registry.address.host}. You were ${plainLine(person)}.`)
  if (end.state === 'ended') terminal.line('The token was ended: no copy of it is good any more.')
  if (end.state === 'was over') terminal.line('The token was over already.')
  if (end.state === 'kept') terminal.line(`The token itself is good still${until}.`)
  if (end.state === 'not ended') {
    terminal.line(end.reason ?? '')
    terminal.line(
      `${terminal.style('yellow', 'The token itself is good still')}${until}. Revoke it in the desk, under My releases.`,
    )
  }
}

function tellOfVariable(terminal: Terminal, { config }: Context): void {
  if (config.token !== null)
    terminal.line('SKILL_TOKEN is set, and what it holds is used on. Unset it as well.')
}
