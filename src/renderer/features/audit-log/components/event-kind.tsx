import {
  IconArrowBackUp,
  IconArticle,
  IconBell,
  IconChecks,
  IconKey,
  IconLayoutGrid,
  IconLogin2,
  IconPhoto,
  IconSettings,
  IconTag,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react'
import { auditKindLabels } from '../../../../shared/audit-kinds.texts.ts'
import type { AuditKind } from '../../../../shared/audit-kinds.texts.ts'
import { Status } from '../../../components/feedback/status.tsx'
import { groupOf } from '../audit-log-labels.ts'
import classes from './event-kind.module.css'

const icons = {
  releases: IconUpload,
  owners: IconTag,
  people: IconUsers,
  tokens: IconKey,
  'sign-ins': IconLogin2,
  notifications: IconBell,
  settings: IconSettings,
  blog: IconArticle,
  showcase: IconLayoutGrid,
  images: IconPhoto,
} as const

/** The kind of an event as text and icon. */
export function EventKind({ kind }: { kind: AuditKind }) {
  if (kind === 'approved' || kind === 'rejected' || kind === 'revoked') return <Status kind={kind} />
  const Icon = kind === 'judged' ? IconChecks : kind === 'withdrawn' ? IconArrowBackUp : icons[groupOf(kind)]
  return (
    <span className={classes['kind']}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {auditKindLabels[kind]}
    </span>
  )
}
