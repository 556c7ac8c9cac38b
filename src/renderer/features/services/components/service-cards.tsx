import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import type { DeskServices } from '../../../../shared/contracts/desk-services.ts'
import { CopyIcon } from '../../../components/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Status } from '../../../components/status.tsx'
import { formatMiB, plural } from '../../../lib/format.ts'
import { formatUptime } from '../../../lib/time.ts'
import type { ReactNode } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import classes from './service-cards.module.css'

export function ServiceCards({ state }: { state: DeskServices }) {
  const registry = state.services.find(({ name }) => name === 'registry')
  const dashboard = state.services.find(({ name }) => name === 'dashboard')
  return (
    <div className={classes['cards']}>
      <Card title="Registry" service={registry} startedAt={state.startedAt}>
        <Facts
          facts={[
            { label: 'Address', value: <Address url={registry?.url} /> },
            { label: 'Public', value: <Address url={state.publicUrl} /> },
            { label: 'Database', value: <Part state={state.database} /> },
            { label: 'Packages', value: <Part state={state.storage} /> },
            {
              label: 'Data folder',
              value: (
                <>
                  <code>{state.dataFolder}</code> <CopyIcon text={state.dataFolder} what="the data folder" />
                </>
              ),
            },
          ]}
        />
      </Card>
      <Card title="Desk and dashboard" service={dashboard} startedAt={state.startedAt}>
        <Facts
          facts={[
            { label: 'Address', value: <Address url={dashboard?.url} /> },
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
          ]}
        />
      </Card>
    </div>
  )
}

interface CardProps {
  title: string
  service: DeskServices['services'][number] | undefined
  startedAt: string
  children: ReactNode
}

function Card({ title, service, startedAt, children }: CardProps) {
  const now = useNow(1000)
  const kind = service?.state ?? 'unknown'
  return (
    <section className={classes['card']} data-failed={kind === 'failed' || undefined} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Status kind={kind}>
          {kind === 'running'
            ? `Running for ${formatUptime(Math.max(0, now - Date.parse(startedAt)))}`
            : kind.slice(0, 1).toUpperCase() + kind.slice(1)}
        </Status>
      </header>
      <div className={classes['body']}>
        {service?.error !== null && service?.error !== undefined && (
          <p className={classes['error']} role="alert">
            {service.error}
          </p>
        )}
        {children}
      </div>
    </section>
  )
}

function Address({ url }: { url: string | undefined }) {
  if (url === undefined || url === '') return 'unknown'
  return (
    <>
      <code>{url}</code> <CopyIcon text={url} what="the address" />
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
