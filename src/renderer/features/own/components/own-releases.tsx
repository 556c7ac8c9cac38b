import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import { DeprecatedChip, DeprecationPart } from '../../../components/deprecation/deprecation.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Badge, Status } from '../../../components/feedback/status.tsx'
import { texts as threadTexts } from '../../../components/thread/thread.texts.ts'
import { When } from '../../../components/list/when.tsx'
import { upperFirst, shortDigest } from '../../../lib/format.ts'
import { ownReleasesQuery } from '../own.api.ts'
import { readSubmitted } from '../submitted.ts'
import { OwnFindings } from './own-findings.tsx'
import { OwnThread } from './own-thread.tsx'
import { texts } from '../own.texts.ts'
import classes from './own-releases.module.css'

/** The releases of the signed-in person and their names, newest first, with reasons and findings. */
export function OwnReleases() {
  const query = useInfiniteQuery(ownReleasesQuery)
  const releases = query.data?.pages.flatMap(({ items }) => items)
  const total = query.data?.pages.at(-1)?.total ?? 0
  const list = useSubmittedFocus(releases)
  return (
    <>
      <Loading
        query={query}
        rows={5}
        height={64}
        what={texts.releases.what}
        failed={texts.releases.loadFailed}
      />
      {releases?.length === 0 && (
        <EmptyState icon={IconInbox} title={texts.releases.none}>
          <p>{texts.releases.noneHint}</p>
        </EmptyState>
      )}
      <ul ref={list} aria-label={texts.title}>
        {releases?.map((release) => (
          <OwnReleaseItem key={release.id} release={release} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.releases.more(total)}
        </Button>
      )}
    </>
  )
}

/** Focuses the release that was just submitted, as soon as it is in the list. */
function useSubmittedFocus(releases: readonly OwnRelease[] | undefined) {
  const list = useRef<HTMLUListElement>(null)
  const [path, navigate] = useLocation()
  const submitted = readSubmitted(useHistoryState())
  const isThere = submitted !== null && (releases?.some(({ id }) => id === submitted) ?? false)
  useEffect(() => {
    if (!isThere) return
    const item = list.current?.querySelector<HTMLElement>(`[data-release="${submitted}"]`)
    // Set only now: with a tabindex, a click on any release would focus it.
    item?.setAttribute('tabindex', '-1')
    item?.focus()
    // Cleared, so that a reload does not focus it again.
    navigate(path, { replace: true, state: null })
  }, [isThere, submitted, path, navigate])
  return list
}

function OwnReleaseItem({ release }: { release: OwnRelease }) {
  const queued = texts.releases.status(upperFirst(release.status), release.place, release.waiting)
  return (
    <li className={classes['release']} data-release={release.id}>
      <div className={classes['head']}>
        <h2 data-mono>
          {release.name} {release.version}
        </h2>
        <Status kind={release.status}>
          {release.firstApproval === undefined ? queued : texts.releases.firstApproved(queued)}
        </Status>
        <DeprecatedChip release={release} />
        {release.thread?.changesRequested === true && (
          <Badge tone="warn" text={threadTexts.changesRequested} />
        )}
        <span className={classes['when']} data-text="note">
          {texts.releases.submitted} <When at={release.createdAt} />
          {release.submittedBy !== null && texts.releases.submittedBy(release.submittedBy)}
        </span>
      </div>
      {release.reviewReason !== null && (
        <figure className={classes['reason']}>
          <figcaption data-text="note">{texts.releases.reason}</figcaption>
          <PlainText text={release.reviewReason} />
        </figure>
      )}
      <DeprecationPart release={release} />
      <OwnThread release={release} />
      <OwnFindings
        findings={release.rejectedFor ?? release.findings}
        isRejection={release.rejectedFor !== null}
        open={release.status === 'pending' || release.status === 'rejected'}
      />
      <p className={classes['facts']} data-text="note">
        {texts.releases.size(release.size)} <code title={release.sha256}>{shortDigest(release.sha256)}</code>
        <CopyIcon text={release.sha256} what={texts.releases.digest} />
      </p>
    </li>
  )
}
