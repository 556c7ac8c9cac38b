import { IconTableOff } from '@tabler/icons-react'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'

/** A view whose table the database does not have: what it would show is unknown, which is not the same as nothing. */
export function MissingTable({ table, what }: { table: string; what: string }) {
  return (
    <EmptyState icon={IconTableOff} title={`The database has no table ${table}`}>
      <p>{what} are unknown. They are listed as soon as it is there.</p>
    </EmptyState>
  )
}

export function isMissing(stamp: AgentStamp | null | undefined, table: string): boolean {
  return stamp?.missingTables.includes(table) === true
}
