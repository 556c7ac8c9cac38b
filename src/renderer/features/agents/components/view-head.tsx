import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, togglePause } from '../agent-live.ts'
import { Stamp } from './stamp.tsx'
import classes from './view-head.module.css'

interface Props {
  title: ReactNode
  /** Of the answer that the view shows; null until there is one. */
  stamp: AgentStamp | null
  /** Search, filters and exports, between the title and the stamp. */
  children?: ReactNode
}

/** The head of a view: what it is, how old it is, and the way to make it stand still. */
export function ViewHead({ title, stamp, children }: Props) {
  const paused = useStore(pausedSince)
  const Icon = paused === null ? IconPlayerPause : IconPlayerPlay
  return (
    <header className={classes['head']}>
      <h1>{title}</h1>
      {children !== undefined && <div className={classes['tools']}>{children}</div>}
      <div className={classes['end']}>
        {stamp !== null && <Stamp stamp={stamp} pausedAt={paused} />}
        <Button
          size="sm"
          leftSection={<Icon size={16} stroke={1.75} />}
          rightSection={<Keycap keys="p" quiet />}
          onClick={togglePause}
        >
          {paused === null ? 'Pause' : 'Follow'}
        </Button>
      </div>
    </header>
  )
}
