import {
  IconArticle,
  IconInbox,
  IconPackage,
  IconAdjustmentsHorizontal,
  IconSearch,
  IconServer2,
  IconSitemap,
  IconUsers,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRoute } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { CountBadge } from '../../components/count-badge.tsx'
import { Keycap } from '../../components/form/keycap.tsx'
import { agentProjectQuery } from '../../features/agents/agents.api.ts'
import { projectCountsQuery } from '../../features/content/content.api.ts'
import { statusCountsQuery } from '../../features/review/review.api.ts'
import classes from './bar.module.css'
import { Region } from '../../components/feedback/region.tsx'
import { Logo } from '../../components/logo.tsx'
import { mayOpen } from '../../lib/app/areas.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { openPalette } from './frame-actions.ts'
import { PersonMenu } from './person-menu.tsx'
import { ServicesState } from './services-state.tsx'

/** The top bar: areas with their pending counts, service status, command palette and account menu. */
export function Bar({ person }: { person: DeskPerson }) {
  const may = (path: string): boolean => mayOpen(person.role, path)
  const counts = useQuery({ ...statusCountsQuery, enabled: may('/review') })
  const projects = useQuery({ ...projectCountsQuery, enabled: may('/content') })
  const agents = useQuery({ ...agentProjectQuery, enabled: may('/agents') })
  const tabs: AreaTab[] = [
    { path: '/review', icon: IconInbox, label: 'Review', count: counts.data?.pending },
    { path: '/content', icon: IconArticle, label: 'Content', count: projects.data?.pending },
    {
      path: '/agents',
      icon: IconSitemap,
      label: 'Agents',
      count: agents.data?.counts.alerts,
      noun: 'alert',
      bad: true,
    },
    { path: '/people', icon: IconUsers, label: 'People' },
    { path: '/services', icon: IconServer2, label: 'Services' },
    { path: '/settings', icon: IconAdjustmentsHorizontal, label: 'Settings' },
  ]
  // For administrators, whose bar is full, it is in the account menu only.
  if (!may('/settings')) tabs.push({ path: '/own', icon: IconPackage, label: 'My releases' })
  return (
    <Region name="bar" as="header" className={classes['bar']}>
      <Link href="/" className={classes['mark']} aria-label="Skilldock">
        <Logo />
        <span>Skilldock</span>
      </Link>
      <nav className={classes['tabs']} aria-label="Areas">
        {tabs
          .filter(({ path }) => may(path))
          .map((tab) => (
            <Tab key={tab.path} {...tab} />
          ))}
      </nav>
      <div className={classes['end']}>
        <ServicesState />
        <button type="button" className={classes['find']} onClick={openPalette}>
          <IconSearch size={14} stroke={1.75} aria-hidden />
          <span>Search or run a command</span>
          <Keycap keys="mod+k" quiet />
        </button>
        <PersonMenu person={person} />
      </div>
    </Region>
  )
}

interface AreaTab {
  path: string
  icon: Icon
  label: string
  count?: number | undefined
  /** What is counted; pending items by default. */
  noun?: string
  /** Whether the count is of problems. */
  bad?: boolean
}

function Tab({ path, icon: TabIcon, label, count = 0, noun, bad = false }: AreaTab) {
  const [here] = useRoute(`${path}/*?`)
  const counted = noun === undefined ? `${formatCount(count)} pending` : plural(count, noun)
  return (
    <Link href={path} className={classes['tab']} aria-current={here ? 'page' : undefined}>
      <TabIcon size={16} stroke={1.75} aria-hidden />
      {label}
      {count > 0 && <CountBadge count={count} label={counted} bad={bad} />}
    </Link>
  )
}
