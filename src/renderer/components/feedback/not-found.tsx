import { IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useTitle } from '../../lib/app/use-title.ts'
import { EmptyState } from './empty-state.tsx'

export function NotFound({ home }: { home: string }) {
  useTitle('Page not found')
  return (
    <EmptyState icon={IconHelpCircle} title="Page not found" heading>
      <p>There is no page at this address.</p>
      <Link href={home}>Go to the start page</Link>
    </EmptyState>
  )
}
