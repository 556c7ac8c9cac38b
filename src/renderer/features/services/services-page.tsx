import { Button } from '@mantine/core'
import { IconPackageExport, IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Region } from '../../components/feedback/region.tsx'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import { Bones } from '../../components/feedback/bones.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { bridge } from '../../lib/app/bridge.ts'
import { appInfoQuery, preferencesQuery } from '../../lib/app/bridge.api.ts'
import { useDownload } from '../../lib/server/use-download.ts'
import { formatClock } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { ServiceCards } from './components/service-cards.tsx'
import { LogView } from './components/log-view.tsx'
import { servicesQuery } from './services.api.ts'
import classes from './services-page.module.css'

/** Both services, where they are reached and what they stand on. */
export function ServicesPage() {
  useTitle('Services')
  const services = useQuery({ ...servicesQuery, refetchInterval: 2000 })
  const preferences = useQuery(preferencesQuery)
  return (
    <Region name="sheet" className={classes['page']}>
      <header className={classes['head']}>
        <h1>Services</h1>
        <p>
          {preferences.data?.keepInTray === true
            ? 'They go on in the tray when this window is closed. Quit stops them.'
            : 'One process serves both.'}
        </p>
        {services.dataUpdatedAt > 0 && <ReadAt at={services.dataUpdatedAt} />}
        <HeadActions />
      </header>
      {services.error !== null && (
        <Failure
          error={services.error}
          what="The state of the services cannot be read"
          retry={() => void services.refetch()}
        />
      )}
      {services.data === undefined ? (
        services.error === null && <Bones rows={8} what="the state of the services" />
      ) : (
        <ServiceCards state={services.data} />
      )}
      <LogView />
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </Region>
  )
}

/** What is done with both at once. */
function HeadActions() {
  const app = useQuery(appInfoQuery)
  const diagnostics = useDownload(deskOperationRoutes.downloadDiagnostics)
  return (
    <span className={classes['actions']}>
      <Button
        size="sm"
        loading={diagnostics.isPending}
        onClick={() => diagnostics.mutate()}
        leftSection={<IconPackageExport size={16} stroke={1.75} />}
      >
        Diagnostics bundle…
      </Button>
      {app.data?.ownsServices === true && (
        <Button
          size="sm"
          leftSection={<IconPlayerStop size={16} stroke={1.75} />}
          onClick={() => void bridge?.services.stop()}
        >
          Stop both
        </Button>
      )}
    </span>
  )
}

/** When this was read; past 10 s it is late and says so. */
function ReadAt({ at }: { at: number }) {
  const now = useNow(1000)
  const late = now - at > 10_000
  return (
    <p className={classes['stamp']} data-late={late || undefined}>
      read at {formatClock(new Date(at))}
      {late ? ', late' : ''}
    </p>
  )
}
