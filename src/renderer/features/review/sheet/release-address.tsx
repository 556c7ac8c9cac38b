import { IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect } from 'wouter'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { releaseIdQuery } from '../review.api.ts'
import { texts } from '../review.texts.ts'

/** Target of links that name a release: redirects to the release in Review. */
export function ReleaseAddress({ name, version }: { name: string; version: string }) {
  useTitle(`${name} ${version}`, texts.pageTitle)
  const { data, error, refetch } = useQuery(releaseIdQuery(name, version))
  if (error !== null) {
    return <Failure error={error} what={texts.release.lookUp.failed} retry={() => void refetch()} />
  }
  if (data === undefined) return <Skeleton rows={6} what={texts.release.what} />
  if (data.id !== null) return <Redirect to={`/review/${data.id}?view=all`} replace />
  return (
    <EmptyState icon={IconHelpCircle} title={texts.release.lookUp.notFound(name, version)} heading>
      <Link href="/review">{texts.release.lookUp.toQueue}</Link>
    </EmptyState>
  )
}
