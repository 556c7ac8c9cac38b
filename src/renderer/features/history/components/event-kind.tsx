import { IconArrowBackUp, IconChecks, IconUpload } from '@tabler/icons-react'
import type { HistoryKind } from '../../../../shared/contracts/desk-history.ts'
import { Status } from '../../../components/feedback/status.tsx'
import { kindLabels } from '../kinds.ts'
import classes from './event-kind.module.css'

const others = { submitted: IconUpload, judged: IconChecks, withdrawn: IconArrowBackUp } as const

/** The kind of an event as text and icon. */
export function EventKind({ kind }: { kind: HistoryKind }) {
  if (kind === 'approved' || kind === 'rejected' || kind === 'revoked') return <Status kind={kind} />
  const Icon = others[kind]
  return (
    <span className={classes['kind']}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {kindLabels[kind]}
    </span>
  )
}
