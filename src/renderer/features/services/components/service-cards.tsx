import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DeskService, DeskServices } from '../../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../../shared/contracts/desk-settings.ts'
import { Facts } from '../../../components/facts.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { servicesInAppQuery } from '../../../lib/app/bridge.api.ts'
import { formatUptime } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useServiceActions } from '../use-service-actions.ts'
import { BackupCard } from './backup-card.tsx'
import { PortInUse } from './port-in-use.tsx'
import { texts } from '../services.texts.ts'
import classes from './service-cards.module.css'
import { dashboardFacts, registryFacts, workFacts } from './service-facts.tsx'
import { upperFirst } from '../../../lib/format.ts'

const { card, names } = texts

export function ServiceCards({ state }: { state: DeskServices }) {
  const registry = state.services.find(({ name }) => name === 'registry')
  const dashboard = state.services.find(({ name }) => name === 'dashboard')
  return (
    <div className={classes['cards']}>
      {registry !== undefined && (
        <Card title={names.registry} service={registry} actions={registryActions(registry)}>
          {registry.state === 'failed' && <PortInUse service={registry} />}
          <Facts facts={[...registryFacts(state, registry), ...workFacts(registry)]} />
        </Card>
      )}
      {dashboard !== undefined && (
        <Card title={names.dashboard} service={dashboard} actions={['restart']}>
          <Facts facts={[...dashboardFacts(state, dashboard), ...workFacts(dashboard)]} />
        </Card>
      )}
      <BackupCard backups={state.backups} />
    </div>
  )
}

function registryActions({ state }: DeskService): ServiceAction[] {
  if (state === 'running') return ['restart', 'stop']
  return state === 'stopped' ? ['start'] : []
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
        {failed && <RetryCountdown />}
        <span className={classes['actions']} data-actions>
          {actions.map((action) => (
            <Button
              key={action}
              size="xs"
              aria-label={card.actionOf(card.actions[action], title)}
              loading={pending === action}
              disabled={pending !== null}
              onClick={() => act(action)}
            >
              {card.actions[action]}
            </Button>
          ))}
        </span>
      </header>
      <div className={classes['body']}>{children}</div>
    </section>
  )
}

function State({ service: { state, startedAt, port, portTaken } }: { service: DeskService }) {
  const now = useNow(1000)
  if (portTaken) return <Status kind="taken">{card.portInUse(port)}</Status>
  const uptime = startedAt === null ? null : formatUptime(Math.max(0, now - Date.parse(startedAt)))
  return <Status kind={state}>{state === 'running' ? card.running(uptime) : upperFirst(state)}</Status>
}

/** When the app will retry a failed service. */
function RetryCountdown() {
  const seconds = useQuery(servicesInAppQuery).data?.retryInSeconds ?? null
  if (seconds === null) return null
  return <span className={classes['next']}>{card.retryIn(seconds)}</span>
}
