import { IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect } from 'wouter'
import { Loading } from '../../../components/feedback/loading.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { releaseIdQuery } from '../review.api.ts'
import { texts } from '../review.texts.ts'

/** Target of links that name a release: redirects to the release in Review. */
export function ReleaseAddress({ name, version }: { name: string; version: string }) {
  useTitle(`${name} ${version}`, texts.pageTitle)
  const query = useQuery(releaseIdQuery(name, version))
  const { data, error } = query
  if (data === undefined || error !== null)
    return (
      <Loading query={query} rows={6} what={texts.release.loading} failed={texts.release.lookUp.failed} />
    )
  if (data.id !== null) return <Redirect to={`/review/${data.id}?view=all`} replace />
  return (
    <EmptyState icon={IconHelpCircle} title={texts.release.lookUp.notFound(name, version)} heading>
      <Link href="/review">{texts.release.lookUp.toQueue}</Link>
    </EmptyState>
  )
}
