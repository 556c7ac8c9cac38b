import { Link, useLocation } from 'wouter'
import type { AuditEntry } from '../../../../shared/contracts/desk-audit-log.ts'
import { DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { When } from '../../../components/list/when.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { PagedList } from '../../../lib/list/use-paged-list.ts'
import { formatStamp } from '../../../lib/time/time.ts'
import { changesLabel, evidenceLabel, originLabel } from '../audit-log-labels.ts'
import { EventKind } from './event-kind.tsx'
import { texts } from '../audit-log.texts.ts'
import classes from '../audit-log-page.module.css'

const { table } = texts

const releasePath = (id: number): string => `/review/${id}?view=all`

/** One event on one line. Text that does not fit is shown below the table while the row is selected. */
const columns: readonly DataColumn<AuditEntry>[] = [
  {
    label: table.columns.time,
    width: 104,
    quiet: true,
    cell: ({ at }) => <When at={at} format={formatStamp} />,
  },
  { label: table.columns.person, width: 128, quiet: true, cell: ({ person }) => person ?? '–' },
  { label: table.columns.event, width: 200, quiet: true, cell: ({ kind }) => <EventKind kind={kind} /> },
  {
    label: table.columns.about,
    width: [140, 2],
    quiet: true,
    mono: true,
    cell: ({ releaseId, name, version }) =>
      releaseId === null ? (
        name
      ) : (
        <Link href={releasePath(releaseId)} tabIndex={-1}>
          {name} {version}
        </Link>
      ),
  },
  {
    label: table.columns.changes,
    width: [150, 3],
    cell: (entry) => (
      <>
        {entry.check !== null && <code className={classes['check']}>{entry.check} </code>}
        {entry.why === null ? changesLabel(entry) : <PlainText text={entry.why} />}
      </>
    ),
  },
  { label: table.columns.from, width: 112, quiet: true, cell: originLabel },
  {
    label: table.columns.evidence,
    width: 140,
    quiet: true,
    cell: (entry) =>
      [evidenceLabel(entry), entry.selfApproved && texts.selfApproved].filter(Boolean).join(', '),
  },
]

interface Props {
  events: PagedList<AuditEntry>
  /** Identifies the rows and their places. */
  view: string
  /** The place of the row whose full text is shown below. */
  selected: number
  onSelect: (place: number) => void
}

/** All events, of which the selected one has its full text below and opens its release by Enter. */
export function AuditLogTable({ events, view, selected, onSelect }: Props) {
  const [, navigate] = useLocation()
  const entry = events.rowAt(selected)
  const open = (): void => {
    if (typeof entry?.releaseId === 'number') navigate(releasePath(entry.releaseId))
  }
  useActions([{ id: 'open-release', label: table.openRelease, group: 'Move', keys: ['Enter'], run: open }])
  return (
    <div className={classes['table']}>
      <DataTable
        label={texts.title}
        columns={columns}
        rows={{ ...events, view }}
        state={({ id }) => ({ selected: id === entry?.id })}
        onOpen={open}
        onSelect={onSelect}
        walk={table.walk}
        bleed
        rowHeight={32}
        gap={16}
      />
    </div>
  )
}
