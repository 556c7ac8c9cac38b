import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import classes from './drop-filters.module.css'

/** No row for this filter: links that drop a part of it. */
export function DropFilters({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EmptyState icon={IconFilter} title={title}>
      <p className={classes['drops']}>{children}</p>
    </EmptyState>
  )
}
