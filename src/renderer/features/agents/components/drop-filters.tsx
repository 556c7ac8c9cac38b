import { IconFilter } from '@tabler/icons-react'
import { Link } from 'wouter'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import classes from './drop-filters.module.css'

export interface Drop {
  label: string
  href: string
}

/** Nothing for this filter: what it is made of, each to be dropped. */
export function DropFilters({ title, drops, all }: { title: string; drops: readonly Drop[]; all: string }) {
  return (
    <EmptyState icon={IconFilter} title={title}>
      <p className={classes['drops']}>
        {drops.map(({ label, href }) => (
          <Link key={label} href={href}>
            {label}
          </Link>
        ))}
        {drops.length > 1 && <Link href={all}>Drop every filter</Link>}
      </p>
    </EmptyState>
  )
}
