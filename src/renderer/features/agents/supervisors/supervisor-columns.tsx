import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconBinaryTree2,
  IconChevronDown,
  IconChevronRight,
  IconHelpCircle,
  IconRobot,
} from '@tabler/icons-react'
import { AgentLink, AgentStateSign, Sign, Utc } from '../components/signs.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { childNote, childrenWords, hasGivenUp, lastChange, restartWords } from './supervisor-tree.ts'
import type { VisibleRow } from './supervisor-tree.ts'
import classes from './supervisors.module.css'

/** The columns of the tree: of a supervisor, and of an agent under it. */
export const treeColumns: readonly DataColumn<VisibleRow>[] = [
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
      if (supervisor.restarts?.limitReached !== true) return restartWords(supervisor)
      return (
        <span data-ink="bad" className={classes['reached']}>
          {restartWords(supervisor)}
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
      {!open && <span className={classes['sum']}>{childrenWords(supervisor)}</span>}
    </span>
  )
}

function stateOf({ supervisor, child }: VisibleRow) {
  if (child?.state === null)
    return (
      <Sign icon={IconHelpCircle} tone="calm">
        no such agent
      </Sign>
    )
  if (child === null && hasGivenUp(supervisor))
    return (
      <Sign icon={IconAlertOctagonFilled} tone="bad">
        gave up
      </Sign>
    )
  const { state, status } = child ?? supervisor
  return state && <AgentStateSign state={state} status={status} />
}
