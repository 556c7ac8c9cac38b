import {
  IconAlertOctagonFilled,
  IconCircleCheckFilled,
  IconHelpCircle,
  IconLoader2,
  IconPlugConnectedX,
  IconPlayerStop,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { servicesQuery, summarizeServices } from '../../features/services/services.api.ts'
import { useMayOpen } from '../../lib/app/areas.ts'
import { liveState } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'
import classes from './services-state.module.css'

const icons = {
  running: IconCircleCheckFilled,
  taken: IconPlugConnectedX,
  failed: IconAlertOctagonFilled,
  stopped: IconPlayerStop,
  starting: IconLoader2,
  unknown: IconHelpCircle,
}

/** The state of both services, on every screen. */
export function ServicesState() {
  const linked = useMayOpen('/services')
  const live = useStore(liveState)
  const services = useQuery(servicesQuery)
  const statuses = summarizeServices(live.state === 'lost' ? undefined : services.data)
  const inner = statuses.map(({ kind, label }) => {
    const Icon = icons[kind]
    return (
      <span key={label} className={classes['sign']} data-kind={kind}>
        <Icon size={14} stroke={1.75} aria-hidden />
        <span>{label}</span>
      </span>
    )
  })
  return linked ? (
    <Link href="/services" className={classes['state']}>
      {inner}
    </Link>
  ) : (
    <span className={classes['state']}>{inner}</span>
  )
}
