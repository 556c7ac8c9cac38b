import { useQuery } from '@tanstack/react-query'
import { Bones } from '../../components/bones.tsx'
import { Failure } from '../../components/failure.tsx'
import { ToastArea } from '../../components/toast-area.tsx'
import { formatClock } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useTitle } from '../../lib/use-title.ts'
import { ServiceCards } from './components/service-cards.tsx'
import { servicesQuery } from './services.api.ts'
import classes from './services-page.module.css'

/** Both services, where they are reached and what they stand on. */
export function ServicesPage() {
  useTitle('Services')
  const services = useQuery({ ...servicesQuery, refetchInterval: 5000 })
  return (
    <div className={classes['page']} data-region="sheet" tabIndex={-1}>
      <header className={classes['head']}>
        <h1>Services</h1>
        <p>One process serves both.</p>
        {services.dataUpdatedAt > 0 && <ReadAt at={services.dataUpdatedAt} />}
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
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </div>
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
