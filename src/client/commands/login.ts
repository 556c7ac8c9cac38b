import { loginRoutes, loginTokenScope } from '../../shared/contracts/logins.ts'
import type { OwnToken } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context, Options } from '../command.ts'
import { confirmInDesk } from '../sign-in/confirm-in-desk.ts'
import { credentialsFile, readCredential, writeCredential } from '../sign-in/credentials.ts'
import type { Credential } from '../sign-in/credentials.ts'
import { exitCodes } from '../exit-codes.ts'
import { askHidden } from '../sign-in/hidden-prompt.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { describeToken, readToken, tokenFromInput, withToken } from '../sign-in/token.ts'

/** Gets a token, looks at it with the registry, and keeps it. */
export const loginCommand: Command = {
  name: 'login',
  summary: 'Sign in, by a confirmation in the desk or with a token',
  usage: '[--paste | --token-stdin | --no-browser]',
  help: `Shows a code and waits until you have compared and confirmed it in the desk of the registry. You get a token that
can publish as you for 30 days, and nothing else. It is called after this computer.

The desk answers on the computer of the registry alone. Elsewhere make a token there, under My releases:

  --paste        Ask for the token, and show nothing of it
  --token-stdin  Read it from standard input
  --no-browser   Show the address of the confirmation, and do not open it

The token is kept for this registry in credentials.json of your configuration folder, which only you may read
(mode 0600), after the registry has said that it is good. SKILL_TOKEN, where it is set, wins over it.

  skill login
  skill login --token-stdin < token.txt`,
  options: {
    paste: { type: 'boolean' },
    'token-stdin': { type: 'boolean' },
    'no-browser': { type: 'boolean' },
  },
  words: { min: 0, max: 0 },
  async run(context, _words, options) {
    assertOneWay(options)
    const registry = context.registry()
    // Nobody is to confirm anything for a file that cannot be used.
    const file = credentialsFile(context.config)
    const former = await readCredential(context.config, registry.address)
    const { token, ...known } = await signIn(context, registry, options)
    const { subject, name } = known.person
    const credential = { token, person: name ?? subject, expiresAt: known.expiresAt }
    await keep(context, registry, credential, isConfirmation(options))
    return {
      data: {
        registry: registry.address.href.replace(/\/$/, ''),
        ...known,
        credentials: file,
      },
      print(terminal) {
        print(terminal, registry, known)
        for (const note of notesOf(context, former, credential)) terminal.line(terminal.style('dim', note))
      },
    }
  },
}

/** A token that was made for this and cannot be kept is ended, so that nobody finds one that nobody has. */
async function keep(
  context: Context,
  registry: Registry,
  credential: Credential,
  isNew: boolean,
): Promise<void> {
  try {
    await writeCredential(context, registry.address, credential)
  } catch (error) {
    if (isNew) {
      await withToken(registry, credential.token)
        .call(loginRoutes.endOwnToken)
        .catch(() => {})
    }
    throw error
  }
}

const isConfirmation = (options: Options): boolean => !options.flag('token-stdin') && !options.flag('paste')

/** Who has signed in, and what the token may. */
type Known = Pick<OwnToken, 'scope' | 'expiresAt'> & { person: Pick<OwnToken['person'], 'subject' | 'name'> }

function assertOneWay(options: Options): void {
  const ways = ['paste', 'token-stdin', 'no-browser'].filter((name) => options.flag(name))
  if (ways.length <= 1) return
  throw new ClientError(exitCodes.usage, `--${ways.join(' and --')} do not go together.`, {
    code: 'USAGE',
    next: 'Give one of them, or none.',
  })
}

async function signIn(
  context: Context,
  registry: Registry,
  options: Options,
): Promise<Known & { token: string }> {
  if (isConfirmation(options)) {
    // The registry has just made it.
    const mayOpen = !options.flag('no-browser') && !context.isJson
    const { token, person, expiresAt } = await confirmInDesk(context, registry, mayOpen)
    return { token, person, scope: loginTokenScope, expiresAt }
  }
  const question = `Token for ${registry.address.host} (nothing of it is shown): `
  const token = options.flag('paste')
    ? readToken(await askHidden(context, question))
    : await tokenFromInput(context)
  const { person, scope, expiresAt } = await describeToken(registry, token)
  return { token, person: { subject: person.subject, name: person.name }, scope, expiresAt }
}

function print(terminal: Terminal, registry: Registry, { person, scope, expiresAt }: Known): void {
  const who = terminal.style('bold', plainLine(person.name ?? person.subject))
  const rights = { publish: 'can publish', admin: 'can do all that you may' }
  const may = scope === null ? rights.admin : rights[scope]
  terminal.line(`You are signed in at ${registry.address.host} as ${who}.`)
  terminal.line(`The token ${may}, until ${expiresAt.slice(0, 10)}.`)
}

function notesOf({ config }: Context, former: Credential | null, credential: Credential): string[] {
  const notes: string[] = []
  if (former !== null && former.token !== credential.token && !isOver(former)) {
    notes.push(
      `The token that was kept before, of ${plainLine(former.person)}, is good still. It can be revoked in the desk, under My releases.`,
    )
  }
  if (config.token !== null)
    notes.push('SKILL_TOKEN is set and is used in place of it. Unset it to use this one.')
  return notes
}

const isOver = ({ expiresAt }: Credential): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()
