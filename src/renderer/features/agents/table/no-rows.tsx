import { IconTableOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'

interface Props {
  stamp: AgentStamp | null | undefined
  table: string
  /** What is listed: `Trust records`. */
  what: string
  /** For a database that has the table. */
  children: ReactNode
}

/** Why a list is empty. Without its table, what it would show is unknown, which is not the same as nothing. */
export function NoRows({ stamp, table, what, children }: Props) {
  if (stamp?.missingTables.includes(table) !== true) return children
  return (
    <EmptyState icon={IconTableOff} title={`The database has no table ${table}`}>
      <p>{what} are unknown. They are listed as soon as it is there.</p>
    </EmptyState>
  )
}
