import { ActionIcon, Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconTableOff, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { formatCount, listWords, upperFirst } from '../../../lib/format.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useStore } from '../../../lib/state/store.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { isUnreadable, lateMs, pausedSince, togglePause, trueUntil, useAgentProject } from '../agent-live.ts'
import { utcWhen } from '../agent-time.ts'
import type { Figure } from '../cost/cost-figures.ts'
import classes from './view.module.css'

interface HeadProps {
  title: ReactNode
  /** Of the answer that the view shows; null until there is one. */
  stamp: AgentStamp | null
  /** Between the title and the stamp. */
  children?: ReactNode
}

/** The head of a view: what it is, how old it is, and the way to make it stand still. */
export function ViewHead({ title, stamp, children }: HeadProps) {
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

/** When the database was written last, and how old what is shown is. */
function Stamp({ stamp, pausedAt }: { stamp: AgentStamp; pausedAt: number | null }) {
  const now = useNow(1000)
  const { data: project } = useAgentProject()
  const age = Math.max(0, now - trueUntil(stamp, project))
  const late = pausedAt === null && age > lateMs
  const changed =
    stamp.changedAt === null ? 'No change known' : `Last change ${utcWhen(stamp.changedAt, now)} UTC`
  const isOther = pausedAt !== null && project !== undefined && project.changedAt !== stamp.changedAt
  return (
    <span
      className={classes['stamp']}
      data-late={late || undefined}
      data-paused={pausedAt === null ? undefined : ''}
      title={stamp.changedAt ?? undefined}
    >
      <i aria-hidden />
      <span>
        {changed}, read {formatAge(age)} ago
        {late && <b data-ink="warn">, late</b>}
        {pausedAt !== null && <b data-ink="warn">{isOther ? ', paused; there is newer data' : ', paused'}</b>}
      </span>
    </span>
  )
}

export interface Read {
  error: unknown
  /** Whether nothing has been read yet. */
  isPending: boolean
  refetch: () => unknown
}

interface PageProps {
  title: string
  /** What the page is about, where its title alone does not say it. */
  label?: string
  /** What is read: `the cost`. */
  what: string
  read: Read & { data: { stamp: AgentStamp } | undefined }
  /** Between the title and how old the answer is. */
  tools?: ReactNode
  children: ReactNode
}

/** A view that shows one answer: charts, figures and tables below each other. */
export function ReadPage({ title, label = title, what, read, tools, children }: PageProps) {
  const { data } = read
  return (
    <>
      <ViewHead title={title} stamp={data?.stamp ?? null}>
        {tools}
      </ViewHead>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['page']} tabIndex={0} role="region" aria-label={label}>
        <ReadState what={what} read={read} rows={10} height={40} />
        {data !== undefined && <Counting stamp={data.stamp} />}
        {children}
      </div>
    </>
  )
}

/** Two or three things beside each other on such a page, where there is room. */
export function Columns({ label, three, children }: { label?: string; three?: true; children: ReactNode }) {
  return (
    <div
      className={classes['columns']}
      data-three={three}
      {...(label !== undefined && { role: 'region', 'aria-label': label })}
    >
      {children}
    </div>
  )
}

/** The figures of a view, side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className={classes['figures']}>
      {figures.map(({ label, value, note, href }) => (
        <section key={label} aria-label={label} data-figure={label}>
          <dl>
            <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
            <dd className={classes['value']} data-unknown={value === 'unknown' || undefined}>
              {value}
            </dd>
            <dd title={typeof note === 'string' ? note : undefined}>
              {/* oxlint-disable-next-line react/no-array-index-key */}
              {Array.isArray(note) ? note.map((line, index) => <p key={index}>{line}</p>) : note}
            </dd>
          </dl>
        </section>
      ))}
    </div>
  )
}

interface DetailProps {
  title: string
  /** What kind of thing it is as well: `Supervisor ingest`. */
  label: string
  onClose: () => void
  children: ReactNode
}

/** All of one row, beside the rows. */
export function DetailPane({ title, label, onClose, children }: DetailProps) {
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

/** What an answer could not know yet, or at all. */
export function Counting({ stamp: { counting, missingTables } }: { stamp: AgentStamp }) {
  if (counting === null && missingTables.length === 0) return null
  const [tables, tell] = missingTables.length === 1 ? ['table', 'it tells'] : ['tables', 'they tell']
  return (
    <p className={classes['counting']} role="status">
      {counting !== null &&
        `Reading all rows once: ${formatCount(counting.done)} of ${formatCount(counting.total)}. Sums follow when all are read. `}
      {missingTables.length > 0 &&
        `The database has no ${tables} ${listWords(missingTables)}; what ${tell} is unknown.`}
    </p>
  )
}

interface StateProps {
  /** What is read: `the trust records`. */
  what: string
  read: Read
  /** How many rows the skeleton has, and how high they are. */
  rows: number
  height?: number
}

/** Why a view shows nothing (yet). What the notice above all views says is not said again. */
export function ReadState({ what, read: { error, isPending, refetch }, rows, height = 32 }: StateProps) {
  const { data: project } = useAgentProject()
  if (error !== null) {
    if (isUnreadable(project) && asApiError(error).code === 'AGENTS_UNAVAILABLE') return null
    return <Failure error={error} what={`${upperFirst(what)} cannot be read`} retry={() => void refetch()} />
  }
  return isPending && !isUnreadable(project) ? <Skeleton rows={rows} height={height} what={what} /> : null
}

interface NoRowsProps {
  stamp: AgentStamp | null | undefined
  table: string
  /** What is listed: `Trust records`. */
  what: string
  children: ReactNode
}

/** Why a list is empty. Without its table, what it would show is unknown, which is not the same as nothing. */
export function NoRows({ stamp, table, what, children }: NoRowsProps) {
  if (stamp?.missingTables.includes(table) !== true) return children
  return (
    <EmptyState icon={IconTableOff} title={`The database has no table ${table}`}>
      <p>{what} are unknown. They are listed as soon as it is there.</p>
    </EmptyState>
  )
}
