import { personNameSchema, subjectSchema } from '../../shared/contracts/people.ts'
import type { Call } from './command.ts'
import type { peopleCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { parseRole, withPeople } from './open-people.ts'
import { checked } from './token.ts'

/** `skilldock people`: manages who may sign in, and with which tokens. */
export async function people({ positionals, options }: Call<typeof peopleCommand>): Promise<ExitCode> {
  const [action, subject, extra] = positionals
  const unexpected = positionals[action === 'list' ? 1 : action === 'role' ? 3 : 2]
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}".`)
  const required = (form: string): string => {
    if (subject === undefined) throw new UsageError(`Missing argument. Usage: skilldock people ${form}`)
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
      print(
        `${added.subject} is ${withArticle(added.role)}. Create a token: skilldock token --subject ${added.subject}`,
      )
      break
    }
    case 'role': {
      const who = required('role NAME admin|developer')
      if (extra === undefined) throw new UsageError('Missing role: admin or developer.')
      const role = parseRole(extra)
      const changed = await withPeople((service) => service.changeRole(who, role))
      print(`${changed.subject} is now ${withArticle(changed.role)}.`)
      break
    }
    case 'remove': {
      const who = required('remove NAME')
      await withPeople((service) => service.removePerson(who))
      print(`Removed ${who} and revoked all their tokens.`)
      break
    }
    case 'tokens':
      await listTokens(required('tokens NAME'), options.json === true)
      break
    case 'revoke': {
      const id = required('revoke TOKEN-ID')
      await withPeople((service) => service.revokeToken(id))
      print(`Revoked token ${id}.`)
      break
    }
    default:
      throw new UsageError(`Unknown action "${action}".`)
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
    print('No people yet. Add an administrator: skilldock people add NAME --role admin')
    return
  }
  printTable(
    ['SUBJECT', 'NAME', 'ROLE', 'STATUS', 'ID'],
    rows.map((row) => [
      row.subject,
      row.name ?? 'none',
      row.role,
      row.removedAt === null ? 'active' : `removed ${row.removedAt}`,
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
    print(`${subject} has no tokens. Create one: skilldock token --subject ${subject}`)
    return
  }
  const now = new Date().toISOString()
  printTable(
    ['ID', 'LABEL', 'SCOPE', 'STATUS', 'LAST USED'],
    rows.map((row) => [
      row.jti,
      row.label,
      row.scope ?? 'full access',
      row.revokedAt !== null
        ? `revoked ${row.revokedAt}`
        : row.expiresAt <= now
          ? `expired ${row.expiresAt}`
          : `valid until ${row.expiresAt}`,
      row.lastUsedAt ?? 'never',
    ]),
  )
}

function withArticle(role: string): string {
  return role === 'administrator' ? 'an administrator' : 'a developer'
}

function printTable(head: string[], rows: string[][]): void {
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
