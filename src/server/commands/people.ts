import { personNameSchema, subjectSchema } from '../../shared/contracts/people.ts'
import type { Call } from './command.ts'
import { texts } from './commands.texts.ts'
import { roleWords } from './declarations.ts'
import type { peopleCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { parseRole, withPeople } from './open-people.ts'
import { checked } from './token.ts'

const { list, tokens } = texts.people

/** `skilldock people`: manages who may sign in, and with which tokens. */
export async function people({ positionals, options }: Call<typeof peopleCommand>): Promise<ExitCode> {
  const [action, subject, extra] = positionals
  const unexpected = positionals[action === 'list' ? 1 : action === 'role' ? 3 : 2]
  if (unexpected !== undefined) throw new UsageError(texts.usage.unexpectedArgument(unexpected))
  const required = (form: string): string => {
    if (subject === undefined) throw new UsageError(texts.people.missingArgument(form))
    return subject
  }
  switch (action) {
    case 'list':
      await listPeople(options.json === true)
      break
    case 'add': {
      const person = {
        subject: checked('NAME', subjectSchema, required('add NAME')),
        ...(options.name === undefined ? {} : { name: checked('--name', personNameSchema, options.name) }),
        ...(options.role === undefined ? {} : { role: parseRole(options.role) }),
      }
      const added = await withPeople((service) => service.addPerson(person))
      print(texts.people.added(added.subject, added.role))
      break
    }
    case 'role': {
      const who = required(`role NAME ${roleWords}`)
      if (extra === undefined) throw new UsageError(texts.people.missingRole)
      const role = parseRole(extra)
      const changed = await withPeople((service) => service.changeRole(who, role))
      print(texts.people.changed(changed.subject, changed.role))
      break
    }
    case 'remove': {
      const who = required('remove NAME')
      await withPeople((service) => service.removePerson(who))
      print(texts.people.removed(who))
      break
    }
    case 'tokens':
      await listTokens(required('tokens NAME'), options.json === true)
      break
    case 'revoke': {
      const id = required('revoke TOKEN-ID')
      await withPeople((service) => service.revokeToken(id))
      print(texts.people.revoked(id))
      break
    }
    default:
      throw new UsageError(texts.people.unknownAction(action))
  }
  return exitCodes.done
}

async function listPeople(asJson: boolean): Promise<void> {
  const rows = await withPeople(async (service) => service.listPeople())
  if (asJson) {
    print(JSON.stringify(rows, null, 2))
    return
  }
  if (rows.length === 0) {
    print(list.none)
    return
  }
  printTable(
    list.columns,
    rows.map((row) => [
      row.subject,
      row.name ?? list.noName,
      row.role,
      row.removedAt === null ? list.active : list.removed(row.removedAt),
      String(row.id),
    ]),
  )
}

async function listTokens(subject: string, asJson: boolean): Promise<void> {
  const rows = await withPeople((service) => service.listTokens(subject))
  if (asJson) {
    print(JSON.stringify(rows, null, 2))
    return
  }
  if (rows.length === 0) {
    print(tokens.none(subject))
    return
  }
  const now = new Date().toISOString()
  printTable(
    tokens.columns,
    rows.map((row) => [
      row.jti,
      row.label,
      row.scope ?? tokens.fullAccess,
      row.revokedAt !== null
        ? tokens.revoked(row.revokedAt)
        : row.expiresAt <= now
          ? tokens.expired(row.expiresAt)
          : tokens.valid(row.expiresAt),
      row.lastUsedAt ?? tokens.neverUsed,
    ]),
  )
}

function printTable(head: readonly string[], rows: string[][]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [head, ...rows]) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
