import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { formatBytes, formatCount, ordinal, shortDigest } from '../../../lib/format.ts'
import { ownReleasesQuery } from '../own.api.ts'
import { readSubmitted } from '../submitted.ts'
import { OwnFindings } from './own-findings.tsx'
import classes from './own-releases.module.css'

/** The own releases, newest first, with what the review said. */
export function OwnReleases() {
  const query = useInfiniteQuery(ownReleasesQuery)
  const releases = query.data?.pages.flatMap(({ items }) => items)
  const total = query.data?.pages.at(-1)?.total ?? 0
  const list = useSubmittedFocus(releases)
  return (
    <>
      {query.error !== null && (
        <Failure error={query.error} what="Your releases cannot be read" retry={() => void query.refetch()} />
      )}
      {query.isPending && query.error === null && <Bones rows={5} height={64} what="your releases" />}
      {releases?.length === 0 && (
        <EmptyState icon={IconInbox} title="You have not published anything yet">
          <p>Submit a release here, or from a terminal, as “How to publish” tells.</p>
        </EmptyState>
      )}
      <ul ref={list} aria-label="My releases">
        {releases?.map((release) => (
          <OwnReleaseItem key={release.id} release={release} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more of {formatCount(total)}
        </Button>
      )}
    </>
  )
}

/** A release that has just been submitted has the focus as soon as it is in the list. */
function useSubmittedFocus(releases: readonly OwnRelease[] | undefined) {
  const list = useRef<HTMLUListElement>(null)
  const [path, navigate] = useLocation()
  const submitted = readSubmitted(useHistoryState())
  const isThere = submitted !== null && (releases?.some(({ id }) => id === submitted) ?? false)
  useEffect(() => {
    if (!isThere) return
    const item = list.current?.querySelector<HTMLElement>(`[data-release="${submitted}"]`)
    // Only now, or a press on any release would give it the focus.
    item?.setAttribute('tabindex', '-1')
    item?.focus()
    // Loading the page once more is not submitting once more.
    navigate(path, { replace: true, state: null })
  }, [isThere, submitted, path, navigate])
  return list
}

function OwnReleaseItem({ release }: { release: OwnRelease }) {
  const place =
    release.place === null ? '' : `, ${ordinal(release.place)} of ${formatCount(release.waiting)} in line`
  const word = release.status.slice(0, 1).toUpperCase() + release.status.slice(1)
  return (
    <li className={classes['release']} data-release={release.id}>
      <div className={classes['head']}>
        <h2>
          {release.name} {release.version}
        </h2>
        <Status kind={release.status}>
          {word}
          {place}
        </Status>
        <span className={classes['when']}>
          submitted <When at={release.createdAt} />
        </span>
      </div>
      {release.reviewReason !== null && (
        <figure className={classes['reason']}>
          <figcaption>Notes of the review</figcaption>
          <PlainText text={release.reviewReason} />
        </figure>
      )}
      <OwnFindings
        findings={release.findings}
        open={release.status === 'pending' || release.status === 'rejected'}
      />
      <p className={classes['facts']}>
        {formatBytes(release.size)}, SHA-256 <code title={release.sha256}>{shortDigest(release.sha256)}</code>
        <CopyIcon text={release.sha256} what="the digest" />
      </p>
    </li>
  )
}
