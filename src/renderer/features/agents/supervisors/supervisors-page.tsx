import { VisuallyHidden } from '@mantine/core'
import { IconBinaryTree2, IconChevronDown, IconChevronRight, IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import { supervisorFiles } from '../../../../shared/contracts/desk-agents.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FieldSegments } from '../../../components/list/segmented.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { plural } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { supervisorsQuery } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { AgentLink, AgentStateSign, Sign, Utc } from '../components/signs.tsx'
import { Counting } from '../components/view.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, DataTable } from '../../../components/list/data-table.tsx'
import { DropFilters } from '../../../components/list/filter-bar.tsx'
import { TableFrame } from '../table/table-page.tsx'
import { newsWords, useStillList } from '../../../lib/list/use-still-list.ts'
import { choice, named, searched, useViewFilter, viewFilter } from '../../../lib/list/view-filter.ts'
import { inDesk, useAddressParam, useTablePlace } from '../../../lib/app/address.ts'
import { SupervisorDetail } from './supervisor-detail.tsx'
import {
  childNote,
  childrenSummary,
  filterTree,
  hasGivenUp,
  lastChange,
  restartLabel,
  treeRows,
  visibleRows,
} from './supervisor-tree.ts'
import type { TreeRow, VisibleRow } from './supervisor-tree.ts'
import classes from './supervisors.module.css'

const supervisorFilter = viewFilter('/agents/supervisors', {
  q: searched,
  show: choice(['trouble'], null, () => 'Also those that are well'),
  /** The one whose details are shown. */
  id: named(500),
})

/** Who starts whom again, how often, and with what success. */
export function SupervisorsPage() {
  useTitle('Supervisors', 'Agents')
  const [, navigate] = useLocation()
  const { filter, show } = useViewFilter(supervisorFilter)
  const { q, id: selected } = filter
  const trouble = filter.show === 'trouble'
  const [, select] = useAddressParam('id')
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const read = useAgentRead(supervisorsQuery)
  const { data } = read
  const view = JSON.stringify([q, trouble])
  const found = treeRows(filterTree(data?.items ?? [], { q, trouble }))
  const { isFetching, dataUpdatedAt: readAt } = read
  const page = { items: found, total: found.length }
  const still = useStillList<TreeRow>({ identity: view, keyOf: ({ key }) => key }).take(
    data === undefined ? [] : [{ offset: 0, page, source: data, isFetching, readAt }],
  )
  const shown = still.rows.map(([, row]) => row)
  const rows = visibleRows(shown, toggled, q !== '')
  const place = useTablePlace(view)
  // The address names a supervisor and no place: then that one is in sight.
  const [begun, setBegun] = useState<{ view: string; start: number } | null>(null)
  if (rows.length > 0 && begun?.view !== view) {
    const at = rows.findIndex(({ supervisor }) => supervisor.id === selected)
    setBegun({ view, start: place.start === 0 ? Math.max(0, at) : place.start })
  }
  const detail = data?.items.find(({ id }) => id === selected)
  const toggle = (id: string): void => {
    const next = new Set(toggled)
    if (!next.delete(id)) next.add(id)
    setToggled(next)
  }
  const inTrouble = data?.items.filter((one) => one.trouble).length
  return (
    <TableFrame
      title="Supervisors"
      what="supervisors"
      list={{
        error: read.error,
        refetch: read.refetch,
        total: rows.length,
        isPending: still.isPending,
        newsText: newsWords(still.news && { added: heads(found) - heads(shown) }, 'supervisor'),
        showNews: still.showNews,
        stamp: data?.stamp ?? null,
      }}
      search={{ q, placeholder: 'Supervisor or agent', onSearch: (text) => show({ q: text }) }}
      controls={
        <FieldSegments
          label="Which supervisors"
          view={supervisorFilter}
          filter={filter}
          field="show"
          options={[
            [null, 'All', data?.items.length],
            ['trouble', 'In trouble', inTrouble],
          ]}
        />
      }
      exports={supervisorFiles}
      line={
        data && (
          <>
            <Counting stamp={data.stamp} />
            {data.unsupervised !== null && data.unsupervised > 0 && (
              <p>
                {plural(data.unsupervised, 'agent has', 'agents have')} no supervisor.{' '}
                <Link href={agentFilter.path({ unsupervised: true })}>Show them</Link>
              </p>
            )}
          </>
        )
      }
      table="supervisors"
      empty={<Nothing filter={{ ...filter, id: null }} />}
      detail={
        detail !== undefined && (
          <SupervisorDetail key={detail.id} supervisor={detail} onClose={() => select(null)} />
        )
      }
    >
      <DataTable
        label="Supervisors"
        rows={{ ...allRows(rows, view), start: begun?.view === view ? begun.start : 0, look: place.look }}
        columns={treeColumns}
        state={({ supervisor, child, open, last }) => ({
          level: child === null ? 1 : 2,
          open: child === null && !last ? open : undefined,
          selected: child === null && supervisor.id === selected,
        })}
        onOpen={({ supervisor, child }) =>
          child === null ? select(supervisor.id) : navigate(inDesk(agentPaths.agent(child.agent)))
        }
        onToggle={({ supervisor }) => toggle(supervisor.id)}
        bleed
        rowHeight={32}
      />
    </TableFrame>
  )
}

/** How many of the rows are supervisors. */
const heads = (rows: readonly TreeRow[]): number => rows.filter(({ child }) => child === null).length

function Nothing({ filter }: { filter: typeof supervisorFilter.usual }) {
  if (filter.q !== '') {
    const title = `No supervisor and no agent of one has “${filter.q}” in its name`
    return <DropFilters title={title} view={supervisorFilter} filter={filter} />
  }
  const isAll = filter.show === null
  return (
    <EmptyState
      icon={IconBinaryTree2}
      title={isAll ? 'The project has no supervisors' : 'No supervisor is in trouble'}
    >
      {isAll ? (
        <p>They are listed as soon as the database holds one.</p>
      ) : (
        <Link href={supervisorFilter.path({})}>All supervisors</Link>
      )}
    </EmptyState>
  )
}

/** The columns of the tree: of a supervisor, and of an agent under it. */
const treeColumns: readonly DataColumn<VisibleRow>[] = [
  { label: 'Supervisor and its agents, in start order', width: [200, 1.7], cell: nameOf },
  { label: 'State', width: [104, 0.9], cell: stateOf },
  {
    label: 'Strategy',
    width: [84, 0.8],
    cell: ({ supervisor, child }) =>
      child === null ? supervisor.strategy : <VisuallyHidden>as its supervisor’s</VisuallyHidden>,
  },
  {
    label: 'Restarts in the window',
    width: [150, 1.4],
    cell({ supervisor, child }) {
      if (child !== null) return childNote(child)
      if (supervisor.restarts?.limitReached !== true) return restartLabel(supervisor)
      return (
        <span data-ink="bad" className={classes['reached']}>
          {restartLabel(supervisor)}
        </span>
      )
    },
  },
  {
    label: 'Last change, UTC',
    width: 108,
    numeric: true,
    cell({ supervisor, child }) {
      const at = child === null ? lastChange(supervisor) : (child.lastEvent?.at ?? null)
      return at === null ? 'never seen' : <Utc at={at} />
    },
  },
]

function nameOf({ supervisor, child, open, last }: VisibleRow) {
  if (child !== null) {
    return (
      <span className={classes['name']} data-child data-last={last || undefined}>
        <IconRobot size={16} stroke={1.75} aria-hidden />
        <AgentLink name={child.agent} tabIndex={-1} />
      </span>
    )
  }
  const Chevron = open ? IconChevronDown : IconChevronRight
  return (
    <span className={classes['name']}>
      <span data-toggle className={classes['toggle']} data-empty={last || undefined}>
        <Chevron size={14} stroke={1.75} aria-hidden />
      </span>
      <IconBinaryTree2 size={16} stroke={1.75} aria-hidden />
      <b>{supervisor.name}</b>
      {!open && <span className={classes['sum']}>{childrenSummary(supervisor)}</span>}
    </span>
  )
}

function stateOf({ supervisor, child }: VisibleRow) {
  if (child?.state === null) return <Sign tone="calm" text="no such agent" />
  if (child === null && hasGivenUp(supervisor)) return <Sign tone="bad" text="gave up" />
  const { state, status } = child ?? supervisor
  return state && <AgentStateSign state={state} status={status} />
}
