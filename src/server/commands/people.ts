import { personNameSchema, subjectSchema } from '../../shared/contracts/people.ts'
import type { Call } from './command.ts'
import type { peopleCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { parseRole, withPeople } from './open-people.ts'
import { checked } from './token.ts'

/** `skilldock people`: who may sign in, and with which tokens. */
export async function people({ words, options }: Call<typeof peopleCommand>): Promise<ExitCode> {
  const [action, subject, extra] = words
  const unwanted = words[action === 'list' ? 1 : action === 'role' ? 3 : 2]
  if (unwanted !== undefined) throw new UsageError(`"${unwanted}" is one word too many.`)
  const wanted = (what: string): string => {
    if (subject === undefined) throw new UsageError(`Say ${what}.`)
    return subject
  }
  switch (action) {
    case 'list':
      await listPeople(options.json === true)
      break
    case 'add': {
      const person = {
        subject: checked('NAME', subjectSchema, wanted('who is to be added')),
        ...(options.name === undefined ? {} : { name: checked('--name', personNameSchema, options.name) }),
        ...(options.role === undefined ? {} : { role: parseRole(options.role) }),
      }
      const added = await withPeople((service) => service.addPerson(person))
      print(
        `${added.subject} is ${withArticle(added.role)}. Make a token with: token --subject ${added.subject}`,
      )
      break
    }
    case 'role': {
      const who = wanted('whose role is to change')
      if (extra === undefined) throw new UsageError('Say which role: admin or developer.')
      const role = parseRole(extra)
      const changed = await withPeople((service) => service.changeRole(who, role))
      print(`${changed.subject} is now ${withArticle(changed.role)}.`)
      break
    }
    case 'remove': {
      const who = wanted('who is to be removed')
      await withPeople((service) => service.removePerson(who))
      print(`${who} is removed, and all their tokens have ended.`)
      break
    }
    case 'tokens':
      await listTokens(wanted('whose tokens you want to see'), options.json === true)
      break
    case 'revoke': {
      const id = wanted('the id of the token')
      await withPeople((service) => service.revokeToken(id))
      print(`The token ${id} has ended.`)
      break
    }
    default:
      throw new UsageError(`There is no "people ${action}".`)
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
    print('Nobody yet. Make an administrator with: people add NAME --role admin')
    return
  }
  printTable(
    ['SUBJECT', 'NAME', 'ROLE', 'STATE', 'ID'],
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
    print(`${subject} has no tokens. Make one with: token --subject ${subject}`)
    return
  }
  const now = new Date().toISOString()
  printTable(
    ['ID', 'LABEL', 'SCOPE', 'STATE', 'LAST USED'],
    rows.map((row) => [
      row.jti,
      row.label,
      row.scope ?? 'all rights',
      row.revokedAt !== null
        ? `revoked ${row.revokedAt}`
        : row.expiresAt <= now
          ? `expired ${row.expiresAt}`
          : `good until ${row.expiresAt}`,
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
