import { IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'

export function NotFoundPage({ home }: { home: string }) {
  return (
    <EmptyState icon={IconHelpCircle} title="There is nothing at this address">
      <Link href={home}>Go to the start</Link>
    </EmptyState>
  )
}
