import { loginRoutes } from '../../shared/contracts/logins.ts'
import type { Command } from '../command.ts'
import { plainLine } from '../terminal/terminal.ts'
import { texts } from './commands.texts.ts'

export const whoamiCommand: Command = {
  name: 'whoami',
  summary: 'Show who is signed in, and what the token can do',
  usage: [''],
  about: `Asks the registry about the saved token, or that of SKILL_TOKEN. Exits with 3 if it is not accepted.`,
  options: {},
  notes: `  skill whoami
  skill whoami --json`,
  async run(context) {
    const registry = context.registry()
    const { person, scope, label, expiresAt } = await registry.call(loginRoutes.getOwnToken)
    const { subject, name, role } = person
    return {
      data: { registry: registry.url, person, scope, label, expiresAt },
      print(terminal) {
        const who = terminal.style('bold', plainLine(name ?? subject))
        terminal.line(texts.whoami.person(who, plainLine(subject), role, registry.address.host))
        terminal.line(texts.login.token(texts.login.rights[scope ?? 'admin'], expiresAt.slice(0, 10)))
      },
    }
  },
}
