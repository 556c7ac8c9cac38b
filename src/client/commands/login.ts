import { loginRoutes, loginTokenScope } from '../../shared/contracts/logins.ts'
import type { OwnToken } from '../../shared/contracts/logins.ts'
import { usageError } from '../client-error.ts'
import type { Command, Context, Options } from '../command.ts'
import { confirmInDesk } from '../sign-in/confirm-in-desk.ts'
import { credentialsFile, readCredential, writeCredential } from '../sign-in/credentials.ts'
import type { Credential } from '../sign-in/credentials.ts'
import { texts } from './commands.texts.ts'
import { askHidden } from '../sign-in/hidden-prompt.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readToken, tokenFromInput, withToken } from '../sign-in/token.ts'

/** Gets a token, verifies it with the registry, and saves it. */
export const loginCommand: Command = {
  name: 'login',
  summary: 'Sign in by confirming a code in the desk, or with a token',
  usage: ['[--paste | --token-stdin | --no-browser]'],
  about: `Shows a code and waits until you confirm it in the registry's desk. This creates a token, named after this
computer, that can only publish as you and expires after 30 days.`,
  options: {
    'no-browser': { type: 'boolean', help: 'show the confirmation link without opening it' },
    paste: { type: 'boolean', help: 'prompt for the token without showing it' },
    'token-stdin': { type: 'boolean', help: 'read the token from standard input' },
  },
  notes: `If the registry serves its desk over the network, you can confirm the code on any computer. Otherwise the desk is only
reachable on the registry's computer; elsewhere, sign in with a token created in the desk, under My releases.

Once the registry has accepted the token, it is saved for this registry in credentials.json in your configuration
folder, readable only by you (mode 0600). SKILL_TOKEN takes precedence over it.

  skill login
  skill login --token-stdin < token.txt`,
  async run(context, _positionals, options) {
    assertOneWay(options)
    const registry = context.registry()
    // Fail before asking for a confirmation if the token could not be saved.
    const file = credentialsFile(context.config)
    const former = await readCredential(context.config, registry.address)
    const { token, ...known } = await signIn(context, registry, options)
    const { subject, name } = known.person
    const credential = { token, person: name ?? subject, expiresAt: known.expiresAt }
    await saveToken(context, registry, credential, isConfirmation(options))
    return {
      data: {
        registry: registry.url,
        ...known,
        credentials: file,
      },
      print(terminal) {
        print(terminal, registry, known)
        for (const note of notesOf(context, former, credential)) terminal.note(note)
      },
    }
  },
}

/** Saves the token. If that fails, revokes a newly created token, so that no unused one remains. */
async function saveToken(
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

/** Who has signed in, and the scope of the token. */
type Known = Pick<OwnToken, 'scope' | 'expiresAt'> & { person: Pick<OwnToken['person'], 'subject' | 'name'> }

function assertOneWay(options: Options): void {
  const ways = ['paste', 'token-stdin', 'no-browser'].filter((name) => options.flag(name))
  if (ways.length > 1) throw usageError(texts.login.notCombined(ways))
}

async function signIn(
  context: Context,
  registry: Registry,
  options: Options,
): Promise<Known & { token: string }> {
  if (isConfirmation(options)) {
    // The token was just created, so it needs no verification.
    const mayOpen = !options.flag('no-browser') && !context.isJson
    const { token, person, expiresAt } = await confirmInDesk(context, registry, mayOpen)
    return { token, person, scope: loginTokenScope, expiresAt }
  }
  const token = options.flag('paste')
    ? readToken(await askHidden(context, texts.login.askToken(registry.address.host)))
    : await tokenFromInput(context)
  const { person, scope, expiresAt } = await withToken(registry, token).call(loginRoutes.getOwnToken)
  return { token, person: { subject: person.subject, name: person.name }, scope, expiresAt }
}

function print(terminal: Terminal, registry: Registry, { person, scope, expiresAt }: Known): void {
  const who = terminal.style('bold', plainLine(person.name ?? person.subject))
  const { signedIn, token, rights } = texts.login
  terminal.line(signedIn(registry.address.host, who))
  terminal.line(token(rights[scope ?? 'admin'], expiresAt.slice(0, 10)))
}

function notesOf({ config }: Context, former: Credential | null, credential: Credential): string[] {
  const notes: string[] = []
  if (former !== null && former.token !== credential.token && !isExpired(former)) {
    notes.push(texts.login.formerToken(plainLine(former.person)))
  }
  if (config.token !== null) notes.push(texts.login.variable)
  return notes
}

const isExpired = ({ expiresAt }: Credential): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()
