import { readRows } from '../db/stored-schema.ts'
import { checksRepository } from '../domains/releases/checks/checks.repository.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import type { Check, CheckContext } from './run-checks.ts'
import { columnRules } from './column-rules.ts'
import type { ColumnRule } from './column-rules.ts'

/** Repairs for unreadable values, by column; each gets the key of the row. */
const repairs: Record<string, (context: CheckContext, releaseId: number) => void> = {
  'release_checks.findings': forgetChecks,
  'release_checks.growth': forgetChecks,
  'release_checks.version': forgetChecks,
  'release_checks.checked_at': forgetChecks,
  'release_modules.facts'(context, releaseId) {
    forgetChecks(context, releaseId)
    checksRepository(context.connection).deleteFacts(releaseId)
  },
}

/** A release without a row is checked again, by `verify --repair` or by the next start of the server. */
function forgetChecks({ connection }: CheckContext, releaseId: number): void {
  checksRepository(connection).deleteChecks(releaseId)
}

/** Checks every value against the rule of its column; one check per table. */
export const columnChecks: readonly Check[] = Object.entries(columnRules).map(([table, rules]) => ({
  name: table,
  *find(context) {
    const columns = Object.entries(rules).flatMap(([name, rule]) =>
      'comparedBy' in rule ? [] : [{ name, rule }],
    )
    if (columns.length === 0) return
    const names = columns.map(({ name }) => name)
    let seen = 0
    for (const { key, values } of readRows(context.connection, table, names)) {
      seen += 1
      if (seen % 1000 === 0) context.onProgress(`${table} ${seen}`)
      for (const [index, { name, rule }] of columns.entries()) {
        const reason = findReason(rule, values[index])
        if (reason === null) continue
        const problem = `${table} ${key.join(' ')}: ${name} ${reason}`
        const repair = repairs[`${table}.${name}`]
        yield repair === undefined ? { problem } : { problem, repair: () => repair(context, Number(key[0])) }
      }
    }
  },
}))

function findReason(rule: Exclude<ColumnRule, { comparedBy: string }>, value: unknown): string | null {
  if (value === null) return null
  const result = rule.safeParse(value, { reportInput: true })
  return result.success ? null : `cannot be read: ${summarize(toIssues(result.error))}`
}
