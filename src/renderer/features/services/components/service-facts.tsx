import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeskService, DeskServices } from '../../../../shared/contracts/desk-services.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import type { Fact } from '../../../components/facts.tsx'
import { formatCount, formatMiB, formatSize } from '../../../lib/format.ts'
import { formatAgo, formatClock } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { deskStateQuery } from '../../session/session.api.ts'
import { texts } from '../services.texts.ts'
import classes from './service-cards.module.css'
import { Sparkline } from './sparkline.tsx'

const { facts } = texts

/** The server truncates a write-ahead log of this size, unless a reader still needs it. */
const largeWalBytes = 67_108_864

export function registryFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: facts.address, value: <Address url={url} /> },
    {
      label: facts.publicAddress,
      value: (
        <>
          <Address url={state.publicUrl} /> <PublicCheck state={state} />
        </>
      ),
    },
    {
      label: facts.database,
      value: (
        <>
          <Health state={state.database} />
          {state.walBytes > largeWalBytes && ` ${facts.largeWal(formatSize(state.walBytes))}`}
        </>
      ),
    },
    ...(state.logProblem === null
      ? []
      : [
          {
            label: facts.problem,
            value: <span data-ink="bad">{facts.logChanged(state.logProblem)}</span>,
          },
        ]),
    ...(state.replication === null
      ? []
      : [{ label: facts.replica, value: <Replica replication={state.replication} /> }]),
    { label: facts.packages, value: <Health state={state.storage} /> },
    { label: facts.storage, value: <Storage state={state} /> },
    {
      label: facts.dataFolder,
      value: (
        <>
          <code>{state.dataFolder}</code> <CopyIcon text={state.dataFolder} what={facts.dataFolderToCopy} />
        </>
      ),
    },
  ]
}

function Replica({ replication }: { replication: NonNullable<DeskServices['replication']> }) {
  const now = useNow(1000)
  const { confirmedAt, snapshotAt, problem } = replication
  const ago = (at: string | null): string => (at === null ? facts.notYet : formatAgo(at, now))
  return (
    <>
      {facts.replicated(ago(confirmedAt), ago(snapshotAt))}
      {problem !== null && <div data-ink="bad">{problem}</div>}
    </>
  )
}

export function dashboardFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: facts.address, value: <Address url={url} /> },
    { label: facts.access, value: facts.localOnly },
    { label: facts.openDesks, value: <OpenDesks state={state} /> },
    {
      label: facts.memory,
      value: (
        <>
          <b>{formatMiB(state.memoryBytes)}</b> {facts.process(state.processId)}
        </>
      ),
    },
    {
      label: facts.agentProject,
      value: state.workspace === null ? facts.noAgentProject : <code>{state.workspace}</code>,
    },
    { label: facts.version, value: facts.versions(state.version, state.nodeVersion) },
  ]
}

/** A service's recent requests and its last error. */
export function workFacts({ requests, requestsLastMinute, medianMs, lastError }: DeskService): Fact[] {
  return [
    {
      label: facts.requests,
      value: (
        <>
          <b>{formatCount(requestsLastMinute)}</b> {facts.lastMinute}
          {medianMs !== null &&
            facts.median(medianMs >= 10 ? String(Math.round(medianMs)) : medianMs.toFixed(1))}
          <Sparkline seconds={requests} />
        </>
      ),
    },
    {
      label: facts.lastError,
      value:
        lastError === null ? (
          facts.noError
        ) : (
          <span data-ink="bad">
            {formatClock(new Date(lastError.at))}: {lastError.text}
          </span>
        ),
    },
  ]
}

function Address({ url }: { url: string }) {
  if (url === '') return facts.unknown
  return (
    <>
      <code>{url}</code> <CopyIcon text={url} what={facts.addressToCopy} />{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {facts.openInBrowser}
      </a>
    </>
  )
}

function Storage({ state: { packageBytes, releases, freeBytes } }: { state: DeskServices }) {
  const free = freeBytes === null ? '' : facts.free(formatSize(freeBytes))
  if (packageBytes === null || releases === null) return `${facts.storageUnknown}${free}`
  return (
    <>
      <b>{formatSize(packageBytes)}</b> {facts.inReleases(releases)}
      {free}
    </>
  )
}

function Health({ state }: { state: 'ok' | 'unavailable' }) {
  const ok = state === 'ok'
  const Icon = ok ? IconCircleCheckFilled : IconAlertOctagonFilled
  return (
    <span className={classes['part']} data-ink={ok ? undefined : 'bad'}>
      <Icon size={14} aria-hidden data-ink={ok ? 'ok' : 'bad'} /> {ok ? facts.available : facts.unavailable}
    </span>
  )
}

/** The result of the last check of the public address, if it differs from the registry's own. */
function PublicCheck({ state: { publicAnswer, behindProxy } }: { state: DeskServices }) {
  if (publicAnswer === null) return null
  const { at, status, reason } = publicAnswer
  const ok = status === 200
  const Icon = ok ? IconCircleCheckFilled : IconAlertOctagonFilled
  const result = ok
    ? facts.reachable
    : status === null
      ? facts.unreachable(reason ?? facts.unknown)
      : facts.status(status, behindProxy)
  return (
    <span className={classes['part']} data-ink={ok ? undefined : 'bad'}>
      <Icon size={14} aria-hidden data-ink={ok ? 'ok' : 'bad'} />
      <span>{facts.checked(result, formatClock(new Date(at)))}</span>
    </span>
  )
}

/** The number of open desks and the people who use them. */
function OpenDesks({ state: { openDesks, deskPeople } }: { state: DeskServices }) {
  const own = useQuery(deskStateQuery).data?.person?.id
  const names = deskPeople.map(({ id, name }) => (id === own ? facts.you(name) : name))
  return (
    <>
      <b>{formatCount(openDesks)}</b>
      {names.length > 0 && `: ${names.join(', ')}`}
    </>
  )
}
