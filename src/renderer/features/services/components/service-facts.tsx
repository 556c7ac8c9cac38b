import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeskService, DeskServices } from '../../../../shared/contracts/desk-services.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import type { Fact } from '../../../components/facts.tsx'
import { formatCount, formatMiB, formatSize, plural } from '../../../lib/format.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { deskStateQuery } from '../../session/session.api.ts'
import classes from './service-cards.module.css'
import { Sparkline } from './sparkline.tsx'

export function registryFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: 'Address', value: <Address url={url} /> },
    {
      label: 'Public',
      value: (
        <>
          <Address url={state.publicUrl} /> <PublicAnswer state={state} />
        </>
      ),
    },
    {
      label: 'Database',
      value: (
        <span className={classes['parts']}>
          <Part state={state.database} />
          <span>
            Packages <Part state={state.storage} />
          </span>
        </span>
      ),
    },
    { label: 'Storage', value: <Storage state={state} /> },
    {
      label: 'Data folder',
      value: (
        <>
          <code>{state.dataFolder}</code> <CopyIcon text={state.dataFolder} what="the data folder" />
        </>
      ),
    },
  ]
}

export function dashboardFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: 'Address', value: <Address url={url} /> },
    { label: 'Reachable', value: 'from this computer only, whatever the settings' },
    { label: 'Open desks', value: <OpenDesks state={state} /> },
    {
      label: 'Memory',
      value: (
        <>
          <b>{formatMiB(state.memoryBytes)}</b> both services, one process ({state.processId})
        </>
      ),
    },
    {
      label: 'Agent project',
      value: state.workspace === null ? 'none chosen' : <code>{state.workspace}</code>,
    },
    { label: 'Version', value: `Skilldock ${state.version}, Node ${state.nodeVersion}` },
  ]
}

/** What a service has done lately. */
export function workFacts({ requests, requestsLastMinute, medianMs, lastError }: DeskService): Fact[] {
  return [
    {
      label: 'Requests',
      value: (
        <>
          <b>{formatCount(requestsLastMinute)}</b> in the last minute
          {medianMs !== null && `, median ${medianMs >= 10 ? Math.round(medianMs) : medianMs.toFixed(1)} ms`}
          <Sparkline seconds={requests} />
        </>
      ),
    },
    {
      label: 'Last error',
      value:
        lastError === null ? (
          'none since start'
        ) : (
          <span className={classes['lastError']}>
            {formatClock(new Date(lastError.at))}: {lastError.text}
          </span>
        ),
    },
  ]
}

function Address({ url }: { url: string }) {
  if (url === '') return 'unknown'
  return (
    <>
      <code>{url}</code> <CopyIcon text={url} what="the address" />{' '}
      <a href={url} target="_blank" rel="noreferrer">
        Open in browser
      </a>
    </>
  )
}

function Storage({ state: { packageBytes, releases, freeBytes } }: { state: DeskServices }) {
  const free = freeBytes === null ? '' : `, ${formatSize(freeBytes)} free`
  if (packageBytes === null || releases === null) return `unknown while the database is away${free}`
  return (
    <>
      <b>{formatSize(packageBytes)}</b> {plural(releases, 'release')}
      {free}
    </>
  )
}

function Part({ state }: { state: 'ok' | 'unavailable' }) {
  const ok = state === 'ok'
  const Icon = ok ? IconCircleCheckFilled : IconAlertOctagonFilled
  return (
    <span className={classes['part']} data-ok={ok || undefined}>
      <Icon size={14} aria-hidden /> {ok ? 'answers' : 'does not answer; requests that need it get 503'}
    </span>
  )
}

/** What others get at the public address, where that is another one than the registry's own. */
function PublicAnswer({ state: { publicAnswer, behindProxy } }: { state: DeskServices }) {
  if (publicAnswer === null) return null
  const { at, status, reason } = publicAnswer
  const when = `at ${formatClock(new Date(at))}`
  const ok = status === 200
  const Icon = ok ? IconCircleCheckFilled : IconAlertOctagonFilled
  const from = behindProxy ? ' from the proxy' : ''
  const words = ok
    ? 'answers'
    : status === null
      ? `does not answer (${reason ?? 'unknown'})`
      : `${status}${from}`
  return (
    <span className={classes['part']} data-ok={ok || undefined}>
      <Icon size={14} aria-hidden />
      <span>
        {words} {when}
      </span>
    </span>
  )
}

/** How many there are, and whose. */
function OpenDesks({ state: { openDesks, deskPeople } }: { state: DeskServices }) {
  const own = useQuery(deskStateQuery).data?.person?.id
  const names = deskPeople.map(({ id, name }) => (id === own ? `${name} (you)` : name))
  return (
    <>
      <b>{formatCount(openDesks)}</b> {names.join(', ')}
    </>
  )
}
