import { tableLines } from '../../shared/command-line/command-table.ts'
import { personNameSchema, subjectSchema } from '../../shared/contracts/people.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import { peopleActionList, roleWords } from './declarations.ts'
import type { peopleCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'
import { parseRole, withPeople } from './open-people.ts'
import { checked } from './token.ts'

const { list, tokens } = texts.people

type Print = (line: string) => void

/** `skilldock people`: manages who may sign in, and with which tokens. */
export async function people(call: Call<typeof peopleCommand>): Promise<Facts> {
  return { data: await act(call) }
}

async function act({ positionals, options, print }: Call<typeof peopleCommand>): Promise<unknown> {
  const [action, subject, extra] = positionals
  const unexpected = positionals[action === 'list' ? 1 : action === 'role' ? 3 : 2]
  if (unexpected !== undefined) throw new UsageError(texts.usage.unexpectedArgument(unexpected))
  const required = (form: string): string => {
    if (subject === undefined) throw new UsageError(texts.people.missingArgument(form))
    return subject
  }
  switch (action) {
    case 'list':
      return listPeople(print)
    case 'add': {
      const person = {
        subject: checked('NAME', subjectSchema, required('add NAME')),
        ...(options.name === undefined ? {} : { name: checked('--name', personNameSchema, options.name) }),
        ...(options.role === undefined ? {} : { role: parseRole(options.role) }),
      }
      const added = await withPeople((service) => service.addPerson(person))
      print(texts.people.added(added.subject, added.role))
      return added
    }
    case 'role': {
      const who = required(`role NAME ${roleWords.join('|')}`)
      if (extra === undefined) throw new UsageError(texts.people.missingRole)
      const role = parseRole(extra)
      const changed = await withPeople((service) => service.changeRole(who, role))
      print(texts.people.changed(changed.subject, changed.role))
      return changed
    }
    case 'remove': {
      const who = required('remove NAME')
      await withPeople((service) => service.removePerson(who))
      print(texts.people.removed(who))
      return { removed: who }
    }
    case 'tokens':
      return listTokens(required('tokens NAME'), print)
    case 'revoke': {
      const id = required('revoke TOKEN-ID')
      await withPeople((service) => service.revokeToken(id))
      print(texts.people.revoked(id))
      return { revoked: id }
    }
    default:
      throw new UsageError(texts.people.unknownAction(action, peopleActionList))
  }
}

async function listPeople(print: Print): Promise<unknown> {
  const rows = await withPeople(async (service) => service.listPeople())
  if (rows.length === 0) print(list.none)
  else {
    const cells = rows.map((row) => [
      row.subject,
      row.name ?? list.noName,
      row.role,
      row.removedAt === null ? list.active : list.removed(row.removedAt),
      String(row.id),
    ])
    print(tableLines(list.columns, cells).join('\n'))
  }
  return rows
}

async function listTokens(subject: string, print: Print): Promise<unknown> {
  const rows = await withPeople((service) => service.listTokens(subject))
  const now = new Date().toISOString()
  if (rows.length === 0) print(tokens.none(subject))
  else {
    const cells = rows.map((row) => [
      row.jti,
      row.label,
      row.scope ?? tokens.fullAccess,
      row.revokedAt !== null
        ? tokens.revoked(row.revokedAt)
        : row.expiresAt <= now
          ? tokens.expired(row.expiresAt)
          : tokens.valid(row.expiresAt),
      row.lastUsedAt ?? tokens.neverUsed,
    ])
    print(tableLines(tokens.columns, cells).join('\n'))
  }
  return rows
}
