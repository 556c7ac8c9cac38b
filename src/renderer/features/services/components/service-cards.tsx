import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DeskService, DeskServices } from '../../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../../shared/contracts/desk-settings.ts'
import { CopyIcon } from '../../../components/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import type { Fact } from '../../../components/facts.tsx'
import { Status } from '../../../components/status.tsx'
import { formatCount, formatMiB, formatSize, plural } from '../../../lib/format.ts'
import { portQuery } from '../../../lib/ports.api.ts'
import { formatClock, formatUptime } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useServiceActions } from '../use-service-actions.ts'
import { PortTaken } from './port-taken.tsx'
import classes from './service-cards.module.css'
import { Sparkline } from './sparkline.tsx'

const actionWords: Record<ServiceAction, string> = { start: 'Start', stop: 'Stop', restart: 'Restart' }

export function ServiceCards({ state }: { state: DeskServices }) {
  const registry = state.services.find(({ name }) => name === 'registry')
  const dashboard = state.services.find(({ name }) => name === 'dashboard')
  return (
    <div className={classes['cards']}>
      {registry !== undefined && (
        <Card title="Registry" service={registry} actions={registryActions(registry)}>
          {registry.state === 'failed' && <PortTaken service={registry} />}
          <Facts facts={[...registryFacts(state, registry), ...workFacts(registry)]} />
        </Card>
      )}
      {dashboard !== undefined && (
        <Card title="Desk and dashboard" service={dashboard} actions={['restart']}>
          <Facts facts={[...dashboardFacts(state, dashboard), ...workFacts(dashboard)]} />
        </Card>
      )}
    </div>
  )
}

function registryActions({ state }: DeskService): ServiceAction[] {
  if (state === 'running') return ['restart', 'stop']
  return state === 'stopped' ? ['start'] : []
}

function registryFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: 'Address', value: <Address url={url} /> },
    { label: 'Public', value: <Address url={state.publicUrl} /> },
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

function dashboardFacts(state: DeskServices, { url }: DeskService): Fact[] {
  return [
    { label: 'Address', value: <Address url={url} /> },
    { label: 'Reachable', value: 'from this computer only, whatever the settings' },
    { label: 'Open desks', value: plural(state.openDesks, 'desk') },
    {
      label: 'Memory',
      value: (
        <>
          <b>{formatMiB(state.memoryBytes)}</b> both services, one process ({state.processId})
        </>
      ),
    },
    { label: 'Version', value: `Skilldock ${state.version}, Node ${state.nodeVersion}` },
  ]
}

/** What a service has done lately. */
function workFacts({ requests, requestsLastMinute, medianMs, lastError }: DeskService): Fact[] {
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
            {lastError.text} at {formatClock(new Date(lastError.at))}
          </span>
        ),
    },
  ]
}

interface CardProps {
  title: string
  service: DeskService
  actions: readonly ServiceAction[]
  children: ReactNode
}

function Card({ title, service, actions, children }: CardProps) {
  const { pending, act } = useServiceActions(service.name)
  const failed = service.state === 'failed'
  return (
    <section className={classes['card']} data-failed={failed || undefined} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <State service={service} />
        <span className={classes['actions']}>
          {actions.map((action) => (
            <Button
              key={action}
              size="xs"
              aria-label={`${actionWords[action]} ${title}`}
              loading={pending === action}
              disabled={pending !== null}
              onClick={() => act(action)}
            >
              {actionWords[action]}
            </Button>
          ))}
        </span>
      </header>
      <div className={classes['body']}>{children}</div>
    </section>
  )
}

function State({ service: { state, startedAt, port } }: { service: DeskService }) {
  const now = useNow(1000)
  const asked = useQuery({ ...portQuery(port), enabled: state === 'failed' })
  if (state === 'failed' && asked.data?.state === 'taken') {
    return <Status kind="failed">Port {port} is taken</Status>
  }
  const uptime = startedAt === null ? '' : ` for ${formatUptime(Math.max(0, now - Date.parse(startedAt)))}`
  return (
    <Status kind={state}>
      {state === 'running' ? `Running${uptime}` : state.slice(0, 1).toUpperCase() + state.slice(1)}
    </Status>
  )
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
