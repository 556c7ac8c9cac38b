import {
  IconAlertOctagonFilled,
  IconBinaryTree2,
  IconChevronDown,
  IconChevronRight,
  IconHelpCircle,
  IconRobot,
} from '@tabler/icons-react'
import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'
import type { TreeRow } from './supervisor-tree.ts'
import { childNote, childrenWords, hasGivenUp, lastChange, restartWords } from './supervisor-words.ts'
import { inDesk } from '../view-address.ts'
import { AgentStateSign } from '../components/agent-state.tsx'
import classes from './supervisor-row.module.css'
import { Utc } from '../components/utc.tsx'

export const treeColumns = [
  'Supervisor and its agents, in start order',
  'State',
  'Strategy',
  'Restarts in the window',
  'Last change, UTC',
] as const

/** The cells of one row of the tree. */
export function TreeCells({ row }: { row: TreeRow }) {
  return row.kind === 'supervisor' ? (
    <SupervisorCells supervisor={row.supervisor} open={row.open} />
  ) : (
    <ChildCells child={row.child} last={row.last} />
  )
}

function SupervisorCells({ supervisor, open }: { supervisor: Supervisor; open: boolean }) {
  const Chevron = open ? IconChevronDown : IconChevronRight
  const reached = supervisor.restarts?.limitReached === true
  return (
    <>
      <div role="gridcell" className={classes['name']}>
        <span
          data-toggle
          className={classes['toggle']}
          data-empty={supervisor.children.length === 0 || undefined}
        >
          <Chevron size={14} stroke={1.75} aria-hidden />
        </span>
        <IconBinaryTree2 size={16} stroke={1.75} aria-hidden />
        <b>{supervisor.name}</b>
        {!open && <span className={classes['sum']}>{childrenWords(supervisor)}</span>}
      </div>
      <div role="gridcell">
        {hasGivenUp(supervisor) ? (
          <span className={classes['bad']}>
            <IconAlertOctagonFilled size={14} aria-hidden /> gave up
          </span>
        ) : (
          <AgentStateSign state={supervisor.state} status={supervisor.status} />
        )}
      </div>
      <div role="gridcell">{supervisor.strategy ?? 'unknown'}</div>
      <div role="gridcell" data-bad={reached || undefined}>
        {restartWords(supervisor)}
      </div>
      <div role="gridcell">
        <Last at={lastChange(supervisor)} />
      </div>
    </>
  )
}

function ChildCells({ child, last }: { child: SupervisorChild; last: boolean }) {
  return (
    <>
      <div role="gridcell" className={classes['child']} data-last={last || undefined}>
        <IconRobot size={16} stroke={1.75} aria-hidden />
        <Link href={inDesk(agentPlaces.agent(child.agent))} tabIndex={-1}>
          {child.agent}
        </Link>
      </div>
      <div role="gridcell">
        {child.state === null ? (
          <span className={classes['gone']}>
            <IconHelpCircle size={14} stroke={1.75} aria-hidden /> no such agent
          </span>
        ) : (
          <AgentStateSign state={child.state} status={child.status} />
        )}
      </div>
      <div role="gridcell" aria-label="as its supervisor’s" />
      <div role="gridcell" className={classes['note']} title={childNote(child)}>
        {childNote(child)}
      </div>
      <div role="gridcell">
        <Last at={child.lastEvent?.at ?? null} />
      </div>
    </>
  )
}

function Last({ at }: { at: string | null }) {
  return at === null ? <>never seen</> : <Utc at={at} />
}
