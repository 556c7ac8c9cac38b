import { IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect } from 'wouter'
import { Bones } from '../../../components/feedback/bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { releaseIdQuery } from '../review.api.ts'

/** What a link from elsewhere names: leads to the release in Review, and does nothing else. */
export function ReleaseAddress({ name, version }: { name: string; version: string }) {
  useTitle(`${name} ${version}`, 'Review')
  const { data, error, refetch } = useQuery(releaseIdQuery(name, version))
  if (error !== null) {
    return <Failure error={error} what="The release cannot be looked up" retry={() => void refetch()} />
  }
  if (data === undefined) return <Bones rows={6} what="the release" />
  if (data.id !== null) return <Redirect to={`/review/${data.id}?view=all`} replace />
  return (
    <EmptyState
      icon={IconHelpCircle}
      title={`There is no release ${name} ${version} in this registry`}
      heading
    >
      <Link href="/review">Go to the queue</Link>
    </EmptyState>
  )
}
