import { IconBan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/virtual-table-head.tsx'
import type { AgentListFilter, AgentSort } from './agent-filter.ts'
import { formatCents, unpricedWords } from '../cost/money.ts'
import { inDesk } from '../view-address.ts'
import { AgentStateSign } from './agent-state.tsx'
import classes from './agent-table.module.css'
import { Utc } from '../components/utc.tsx'

interface Props {
  list: { total: number; rowAt: (place: number) => AgentRow | undefined }
  filter: AgentListFilter
  view: string
  start: number
  onSort: (filter: AgentListFilter) => void
  onVisible: (first: number, last: number) => void
}

const heads: { key: string; label: string; sort?: AgentSort; numeric?: boolean }[] = [
  { key: 'name', label: 'Agent', sort: 'name' },
  { key: 'state', label: 'State', sort: 'state' },
  { key: 'supervisor', label: 'Supervisor', sort: 'supervisor' },
  { key: 'module', label: 'Module' },
  { key: 'activity', label: 'Last activity, UTC', sort: 'activity' },
  { key: 'today', label: 'Spent today', sort: 'today', numeric: true },
  { key: 'month', label: 'This month', sort: 'month', numeric: true },
]
const widths = 'minmax(120px, 1.3fr) 104px minmax(90px, 0.9fr) minmax(150px, 1.6fr) 116px 84px 84px'

/** Agents in rows of one height, of which those in sight are in the document; Enter opens one. */
export function AgentTable({ list, filter, view, start, onSort, onVisible }: Props) {
  const [, navigate] = useLocation()
  const columns = heads.map(({ key, label, sort, numeric }): Column => {
    if (sort === undefined) return { key, label }
    const isSorted = filter.sort === sort
    return {
      key,
      label,
      ...(numeric === true ? { numeric } : {}),
      sort: isSorted ? (filter.order === 'asc' ? 'ascending' : 'descending') : 'none',
      onSort: () => onSort({ ...filter, sort, order: orderAfter(filter, sort) }),
    }
  })
  const cells = (place: number): readonly ReactNode[] | null => {
    const row = list.rowAt(place)
    return row === undefined ? null : cellsOf(row)
  }
  return (
    <div className={classes['table']}>
      <VirtualTable
        label="Agents"
        columns={columns}
        widths={widths}
        total={list.total}
        rowHeight={32}
        cells={cells}
        view={view}
        start={start}
        onVisible={onVisible}
        onOpen={(place) => {
          const row = list.rowAt(place)
          if (row !== undefined) navigate(inDesk(agentPlaces.agent(row.name)))
        }}
      />
    </div>
  )
}

/** The last activity and money begin with the most, all else with the first. */
function orderAfter({ sort, order }: AgentListFilter, pressed: AgentSort): 'asc' | 'desc' {
  if (sort === pressed) return order === 'asc' ? 'desc' : 'asc'
  return ['activity', 'today', 'month', 'created'].includes(pressed) ? 'desc' : 'asc'
}

function cellsOf(row: AgentRow): readonly ReactNode[] {
  return [
    <Link
      key="name"
      href={inDesk(agentPlaces.agent(row.name))}
      className={classes['name']}
      tabIndex={-1}
      title={row.name}
    >
      {row.name}
    </Link>,
    <AgentStateSign key="state" state={row.state} status={row.status} />,
    <span key="supervisor" className={row.supervisor === null ? classes['quiet'] : undefined}>
      {row.supervisor ?? 'none'}
    </span>,
    <Module key="module" row={row} />,
    <span key="activity" className={classes['quiet']}>
      <Utc at={row.lastActivityAt} />
    </span>,
    <Money key="today" spend={row.spentToday} />,
    <Money key="month" spend={row.spentMonth} />,
  ]
}

/** The release that it came from, else the file that it is. */
function Module({ row: { release, source } }: { row: AgentRow }) {
  const said = release === null ? source : `${release.name} ${release.version}`
  if (said === null) return <span className={classes['quiet']}>unknown</span>
  if (release?.status === 'revoked') {
    return (
      <span className={classes['revoked']} title={source ?? undefined}>
        <IconBan size={14} stroke={1.75} aria-hidden />
        <span>{said} revoked</span>
      </span>
    )
  }
  return (
    <span className={release === null ? classes['quiet'] : undefined} title={source ?? undefined}>
      {said}
    </span>
  )
}

function Money({ spend }: { spend: Spend | null }) {
  if (spend === null) return <span className={classes['quiet']}>counting</span>
  const missing = unpricedWords(spend)
  return (
    <span className={spend.cents === null ? classes['quiet'] : undefined} title={missing ?? undefined}>
      {formatCents(spend.cents)}
      {missing !== null && spend.cents !== null && ' +?'}
    </span>
  )
}
