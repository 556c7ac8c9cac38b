import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Region } from '../../../components/feedback/region.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import classes from './detail-pane.module.css'

interface Props {
  title: string
  /** What kind of thing it is as well: `Supervisor ingest`. */
  label: string
  onClose: () => void
  children: ReactNode
}

/** All of one row, beside the rows. */
export function DetailPane({ title, label, onClose, children }: Props) {
  useActions([
    { id: 'close-detail', label: 'close the details', group: 'Look', keys: ['Escape'], run: onClose },
  ])
  return (
    <Region name="dock" as="aside" className={classes['detail']} aria-label={label}>
      <header>
        <h2>{title}</h2>
        <ActionIcon size="sm" aria-label="Close the details (Esc)" onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </header>
      {children}
    </Region>
  )
}
