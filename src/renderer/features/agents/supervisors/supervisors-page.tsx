import { VisuallyHidden } from '@mantine/core'
import { IconBinaryTree2, IconChevronDown, IconChevronRight, IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { maxAgentNameCharacters } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import { deskAgentRoutes, supervisorFiles } from '../../../../shared/contracts/desk-agents.ts'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { AgentLink, AgentStateBadge, Utc } from '../components/values.tsx'
import { Counting } from '../components/view-parts.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, DataTable } from '../../../components/list/data-table.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { TableFrame } from '../table/table-page.tsx'
import { newRowsLabel, useWholeList } from '../../../lib/list/use-paged-list.ts'
import { choice, named, searched, useViewFilter, viewFilter } from '../../../lib/list/view-filter.ts'
import { useViewState } from '../../../lib/state/use-view-state.ts'
import { inDesk, useAddressParam, useTablePlace } from '../../../lib/app/page-address.ts'
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
import { names, texts } from '../agents.texts.ts'
import classes from './supervisors.module.css'

const supervisorFilter = viewFilter('/agents/supervisors', {
  q: searched,
  show: choice(['trouble'], null, () => texts.supervisors.includeHealthy),
  /** The supervisor whose details are open. */
  id: named(maxAgentNameCharacters),
})

/** The tree of supervisors and their agents. */
export function SupervisorsPage() {
  const [, navigate] = useLocation()
  const state = useViewFilter(supervisorFilter)
  const { filter } = state
  const { q, id: selected } = filter
  const [, select] = useAddressParam('id')
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const read = useAgentRead(agentRead(deskAgentRoutes.listDeskSupervisors))
  const { data } = read
  const view = JSON.stringify([q, filter.show])
  const found = treeRows(filterTree(data?.items ?? [], { q, trouble: filter.show === 'trouble' }))
  const list = useWholeList<TreeRow>({
    identity: view,
    rows: data === undefined ? null : found,
    source: data,
    isFetching: read.isFetching,
    keyOf: ({ key }) => key,
  })
  const { shown } = list
  const rows = visibleRows(shown, toggled, q !== '')
  const place = useTablePlace(view)
  // An address with a supervisor but no row scrolls to that supervisor.
  const [start, setStart] = useViewState<number | null>(view, null)
  if (rows.length > 0 && start === null) {
    const at = rows.findIndex(({ supervisor }) => supervisor.id === selected)
    setStart(place.start === 0 ? Math.max(0, at) : place.start)
  }
  const detail = data?.items.find(({ id }) => id === selected)
  const toggle = (id: string): void => {
    const next = new Set(toggled)
    if (!next.delete(id)) next.add(id)
    setToggled(next)
  }
  const withProblems = data?.items.filter((one) => one.trouble).length
  return (
    <TableFrame
      texts={texts.supervisors}
      state={state}
      list={{
        error: read.error,
        refetch: read.refetch,
        total: rows.length,
        isPending: read.isPending,
        newsText: newRowsLabel(
          list.news && { added: supervisorsIn(found) - supervisorsIn(shown) },
          texts.supervisors.noun,
        ),
        showNews: list.showNews,
        stamp: data?.stamp ?? null,
      }}
      controls={
        <FieldSegments
          label={texts.supervisors.filter}
          state={state}
          field="show"
          options={[
            [null, texts.all, data?.items.length],
            ['trouble', texts.supervisors.withProblems, withProblems],
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
                {texts.supervisors.unsupervised(data.unsupervised)}{' '}
                <Link href={agentFilter.path({ unsupervised: true })}>
                  {texts.supervisors.showUnsupervised}
                </Link>
              </p>
            )}
          </>
        )
      }
      table="supervisors"
      icon={IconBinaryTree2}
      noMatches={{ title: q === '' ? texts.supervisors.noProblems : texts.supervisors.noMatches(q) }}
      detail={
        detail !== undefined && (
          <SupervisorDetail key={detail.id} supervisor={detail} onClose={() => select(null)} />
        )
      }
    >
      <DataTable
        label={texts.supervisors.title}
        rows={{
          ...allRows(rows, view),
          start: start ?? 0,
          loadVisible: ({ first }) => place.onVisible(first),
        }}
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
const supervisorsIn = (rows: readonly TreeRow[]): number => rows.filter(({ child }) => child === null).length

/** The columns of the tree, for supervisors and agents. */
const treeColumns: readonly DataColumn<VisibleRow>[] = [
  { label: names.tree, width: [200, 1.7], cell: nameOf },
  { label: names.state, width: [104, 0.9], cell: stateOf },
  {
    label: names.strategy,
    width: [84, 0.8],
    cell: ({ supervisor, child }) =>
      child === null ? (
        supervisor.strategy
      ) : (
        <VisuallyHidden>{texts.supervisors.sameStrategy}</VisuallyHidden>
      ),
  },
  {
    label: names.restarts,
    width: [150, 1.4],
    cell({ supervisor, child }) {
      if (child !== null) return childNote(child)
      if (supervisor.restarts?.limitReached !== true) return restartLabel(supervisor)
      return <b data-ink="bad">{restartLabel(supervisor)}</b>
    },
  },
  {
    label: texts.utc(names.lastChange),
    width: 108,
    numeric: true,
    cell({ supervisor, child }) {
      const at = child === null ? lastChange(supervisor) : (child.lastEvent?.at ?? null)
      return at === null ? texts.supervisors.neverSeen : <Utc at={at} />
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
      {!open && (
        <span className={classes['sum']} data-text="note">
          {childrenSummary(supervisor)}
        </span>
      )}
    </span>
  )
}

function stateOf({ supervisor, child }: VisibleRow) {
  if (child?.state === null) return <Badge tone="calm" text={texts.supervisors.child.noSuchAgent} />
  if (child === null && hasGivenUp(supervisor)) return <Badge tone="bad" text={texts.supervisors.gaveUp} />
  const { state, status } = child ?? supervisor
  return state && <AgentStateBadge state={state} status={status} />
}
