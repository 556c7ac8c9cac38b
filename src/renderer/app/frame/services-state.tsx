import {
  IconAlertOctagonFilled,
  IconCircleCheckFilled,
  IconHelpCircle,
  IconLoader2,
  IconPlayerStop,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { servicesQuery, summarizeServices } from '../../features/services/services.api.ts'
import { liveState } from '../../lib/live-state.ts'
import { useStore } from '../../lib/store.ts'
import classes from './services-state.module.css'

const icons = {
  running: IconCircleCheckFilled,
  failed: IconAlertOctagonFilled,
  stopped: IconPlayerStop,
  starting: IconLoader2,
  unknown: IconHelpCircle,
}

/** Both services in a word and a shape, on every screen. */
export function ServicesState({ linked }: { linked: boolean }) {
  const live = useStore(liveState)
  const services = useQuery(servicesQuery)
  const { kind, words } = summarizeServices(live.state === 'lost' ? undefined : services.data)
  const Icon = icons[kind]
  const inner = (
    <>
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>{words}</span>
    </>
  )
  if (!linked) {
    return (
      <span className={classes['state']} data-kind={kind}>
        {inner}
      </span>
    )
  }
  return (
    <Link href="/services" className={classes['state']} data-kind={kind}>
      {inner}
    </Link>
  )
}
