import { ActionIcon } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconTableOff, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import type { Read } from '../../../components/feedback/loading.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useStore } from '../../../lib/state/store.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import {
  isUnreadable,
  staleMs,
  pausedSince,
  togglePause,
  currentUntil,
  useAgentProject,
} from '../agents.api.ts'
import { utcWhen } from '../agent-time.ts'
import type { Figure } from '../cost/cost-figures.ts'
import { texts } from '../agents.texts.ts'
import classes from './view-parts.module.css'

interface HeadProps {
  title: string
  /** The stamp of the response that the view shows; null until there is one. */
  stamp: AgentStamp | null
  /** Between the title and the stamp. */
  children?: ReactNode
}

/** The head of a view: its title, the age of its data, and a button that pauses live updates. */
export function ViewHead({ title, stamp, children }: HeadProps) {
  const paused = useStore(pausedSince)
  const Icon = paused === null ? IconPlayerPause : IconPlayerPlay
  return (
    <PageHead title={title} area={texts.area.title}>
      {children !== undefined && <div className={classes['tools']}>{children}</div>}
      <div className={classes['end']}>
        {stamp !== null && <Stamp stamp={stamp} pausedAt={paused} />}
        <ActionButton size="sm" icon={Icon} keys="p" onClick={togglePause}>
          {paused === null ? texts.view.pause : texts.view.resume}
        </ActionButton>
      </div>
    </PageHead>
  )
}

/** The last change of the database, and the age of the data shown. */
function Stamp({ stamp, pausedAt }: { stamp: AgentStamp; pausedAt: number | null }) {
  const now = useNow(1000)
  const { data: project } = useAgentProject()
  const age = Math.max(0, now - currentUntil(stamp, project))
  const stale = pausedAt === null && age > staleMs
  const changed = texts.view.lastChange(stamp.changedAt === null ? null : utcWhen(stamp.changedAt, now))
  const isNewer = pausedAt !== null && project !== undefined && project.changedAt !== stamp.changedAt
  return (
    <span
      className={classes['stamp']}
      data-late={stale || undefined}
      data-paused={pausedAt === null ? undefined : ''}
      title={stamp.changedAt ?? undefined}
    >
      <i aria-hidden />
      <span>
        {changed}, {texts.view.checked(formatAge(age))}
        {stale && <b data-ink="warn">, {texts.view.stale}</b>}
        {pausedAt !== null && (
          <b data-ink="warn">, {isNewer ? texts.view.pausedWithNewerData : texts.view.paused}</b>
        )}
      </span>
    </span>
  )
}

interface PageProps {
  title: string
  /** The name of the page's region, if the title alone is not clear. */
  label?: string
  /** What is loaded, if it is not the title: `agent`. */
  what?: string
  read: Read & { data: { stamp: AgentStamp } | undefined }
  /** Between the title and the age of the data. */
  tools?: ReactNode
  children: ReactNode
}

/** A view with figures, charts and tables below each other. */
export function ReadPage({ title, label = title, what = title, read, tools, children }: PageProps) {
  const { data } = read
  return (
    <>
      <ViewHead title={title} stamp={data?.stamp ?? null}>
        {tools}
      </ViewHead>
      {/* It scrolls, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['page']} tabIndex={0} role="region" aria-label={label}>
        <ReadState what={texts.list.the(what.toLowerCase())} read={read} rows={10} height={40} />
        {data !== undefined && <Counting stamp={data.stamp} />}
        {children}
      </div>
    </>
  )
}

/** Two or three columns, if there is room. */
export function Columns({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={classes['columns']} {...(label !== undefined && { role: 'region', 'aria-label': label })}>
      {children}
    </div>
  )
}

/** The key figures of a view, side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className={classes['figures']}>
      {figures.map(({ label, value, note, href }) => (
        <section key={label} aria-label={label} data-figure={label}>
          <dl>
            <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
            <dd className={classes['value']} data-unknown={value === texts.unknown || undefined}>
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
  /** The title with its kind: `Supervisor ingest`. */
  label: string
  onClose: () => void
  children: ReactNode
}

/** The details of one row, next to the table. */
export function DetailPane({ title, label, onClose, children }: DetailProps) {
  const { action, button } = texts.view.closeDetails
  useActions([{ id: 'close-detail', label: action, group: 'Look', keys: ['Escape'], run: onClose }])
  return (
    <Region name="dock" as="aside" className={classes['detail']} aria-label={label}>
      <header>
        <h2>{title}</h2>
        <ActionIcon size="sm" aria-label={button} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </header>
      {children}
    </Region>
  )
}

/** What is unknown in the data shown, because rows are still being counted or tables are missing. */
export function Counting({ stamp: { counting, missingTables } }: { stamp: AgentStamp }) {
  if (counting === null && missingTables.length === 0) return null
  return (
    <p className={classes['counting']} role="status">
      {counting !== null && texts.view.counting(counting.done, counting.total)}
      {missingTables.length > 0 && texts.view.missingTables(missingTables)}
    </p>
  )
}

interface StateProps {
  /** What is loaded: `the trust records`. */
  what: string
  read: Read
  /** The number of rows of the skeleton, and their height in pixels. */
  rows: number
  height?: number
}

/** The loading or error state of a view. Does not repeat the notice above the views. */
export function ReadState({ what, read, ...skeleton }: StateProps) {
  const { data: project } = useAgentProject()
  const isExplained = read.error === null || asApiError(read.error).code === 'AGENTS_UNAVAILABLE'
  if (isUnreadable(project) && isExplained) return null
  return <Loading {...skeleton} query={read} what={what} failed={texts.view.loadFailed(what)} />
}

interface NoRowsProps {
  stamp: AgentStamp | null | undefined
  table: string
  /** What is listed: `Trust records`. */
  what: string
  children: ReactNode
}

/** Why a list is empty. If its table is missing, its rows are unknown, which is not the same as none. */
export function NoRows({ stamp, table, what, children }: NoRowsProps) {
  if (stamp?.missingTables.includes(table) !== true) return children
  return (
    <EmptyState icon={IconTableOff} title={texts.view.missingTable.title(table)}>
      <p>{texts.view.missingTable.text(what)}</p>
    </EmptyState>
  )
}
