import type { z } from 'zod'
import { personNameSchema, subjectSchema } from '../../shared/contracts/people.ts'
import { labelSchema } from '../../shared/contracts/access-labels.ts'
import { parseLife } from '../domains/identity/identity.rules.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import type { TokenScope } from '../../shared/route.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { tokenCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'
import { parseRole, withPeople } from './open-people.ts'

/** `skilldock token`: prints one JWT and nothing else, unless with --json (rulings, "Tokens"). */
export async function token({ options, print }: Call<typeof tokenCommand>): Promise<Facts> {
  const { subject, name, role, ttl, label, scope } = options
  if (subject === undefined) throw new UsageError(texts.token.noSubject)
  const life = ttl === undefined ? undefined : parseLife(ttl)
  if (life === null) throw new UsageError(texts.token.invalidLife(ttl))
  const request = {
    subject: checked('--subject', subjectSchema, subject),
    ...(name === undefined ? {} : { name: checked('--name', personNameSchema, name) }),
    ...(role === undefined ? {} : { role: parseRole(role) }),
    ...(label === undefined ? {} : { label: checked('--label', labelSchema, label) }),
    ...(life === undefined ? {} : { life }),
    ...(scope === undefined ? {} : { scope: parseScope(scope) }),
  }
  const { token: jwt, jti, expiresAt } = await withPeople((people) => people.issueToken(request))
  print(jwt)
  return { data: { subject, scope: request.scope ?? null, token: jwt, jti, expiresAt } }
}

/** Validates a command-line value; throws a UsageError that names the option. */
export function checked(option: string, schema: z.ZodType<string>, value: string): string {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new UsageError(texts.usage.invalidValue(option, summarize(toIssues(result.error))))
}

function parseScope(word: string): TokenScope {
  if (word === 'publish' || word === 'admin') return word
  throw new UsageError(texts.token.invalidScope(word))
}
