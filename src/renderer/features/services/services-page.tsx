import { IconPackageExport, IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ActionButton } from '../../components/form/action-button.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { bridge } from '../../lib/app/bridge.ts'
import { appInfoQuery, preferencesQuery } from '../../lib/app/bridge.api.ts'
import { useDownload } from '../../lib/server/use-download.ts'
import { formatClock } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { ServiceCards } from './components/service-cards.tsx'
import { LogView } from './components/log-view.tsx'
import { servicesQuery } from './services.api.ts'
import { texts } from './services.texts.ts'
import classes from './services-page.module.css'

const { page } = texts

/** The two services, their status and addresses, and the log. */
export function ServicesPage() {
  const services = useQuery({ ...servicesQuery, refetchInterval: 2000 })
  const preferences = useQuery(preferencesQuery)
  return (
    <Region name="sheet" className={classes['page']}>
      <PageHead title={page.title}>
        <p data-text="note">{preferences.data?.keepInTray === true ? page.inTray : page.oneProcess}</p>
        {services.dataUpdatedAt > 0 && <UpdatedAt at={services.dataUpdatedAt} />}
        <HeadActions />
      </PageHead>
      <Loading query={services} rows={8} what={page.loading} failed={page.loadFailed} />
      {services.data !== undefined && <ServiceCards state={services.data} />}
      <LogView />
      <ToastArea place="window" />
    </Region>
  )
}

/** Actions that concern both services. */
function HeadActions() {
  const app = useQuery(appInfoQuery)
  const diagnostics = useDownload(deskOperationRoutes.downloadDiagnostics)
  return (
    <span data-actions>
      <ActionButton
        size="sm"
        loading={diagnostics.isPending}
        onClick={() => diagnostics.mutate()}
        icon={IconPackageExport}
      >
        {page.diagnostics}
      </ActionButton>
      {app.data?.ownsServices === true && (
        <ActionButton size="sm" icon={IconPlayerStop} onClick={() => void bridge?.services.stop()}>
          {page.stopAll}
        </ActionButton>
      )}
    </span>
  )
}

/** When the status was fetched. It is marked as out of date after 10 s. */
function UpdatedAt({ at }: { at: number }) {
  const now = useNow(1000)
  const late = now - at > 10_000
  return (
    <p className={classes['stamp']} data-text="note" data-ink={late ? 'warn' : undefined}>
      {page.updated(formatClock(new Date(at)))}
      {late ? page.late : ''}
    </p>
  )
}
