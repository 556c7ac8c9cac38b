import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconArrowsSort, IconFilter, IconFilterFilled } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { queueSorts, queueViews } from '../../../../shared/contracts/desk-review.ts'
import type { QueueSort, StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { threadFilters } from '../../../../shared/contracts/thread.ts'
import type { ThreadFilter } from '../../../../shared/contracts/thread.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { withView } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import { texts } from '../review.texts.ts'
import classes from './queue-menus.module.css'
import { upperFirst } from '../../../lib/format.ts'

export function sortLabel({ view, sort }: Pick<QueueFilter, 'view' | 'sort'>): string {
  const labels: Record<QueueSort, string> = {
    waiting: view === 'all' ? texts.queue.sort.oldest : texts.queue.sort.longestWaiting,
    newest: view === 'decided' ? texts.queue.sort.latestDecision : texts.queue.sort.newest,
    name: texts.queue.sort.name,
  }
  return labels[sort]
}

const any = 'any'

interface Props {
  filter: QueueFilter
  counts: StatusCounts | undefined
  /** Whether any listed release has a conversation. */
  hasThreads: boolean
  onFilter: (filter: QueueFilter) => void
}

/** The menus for sort order and status. */
export function QueueMenus({ filter, counts, hasThreads, onFilter }: Props) {
  // Decided releases no longer wait, so sorting by waiting time is not offered for them.
  const sorts = queueSorts.filter((sort) => filter.view !== 'decided' || sort !== 'waiting')
  const statuses = releaseStatuses.filter((status) => filter.view === 'all' || status !== 'pending')
  const isInThread = filter.view === 'pending' && (hasThreads || filter.thread !== null)
  const offer = (label: string, next: QueueFilter): Action => ({
    id: `queue-${label}`,
    label,
    group: 'Look',
    run: () => onFilter(next),
  })
  useActions([
    ...queueViews
      .filter((view) => view !== filter.view)
      .map((view) => offer(texts.queue.showView(view), withView(filter, view))),
    ...sorts
      .filter((sort) => sort !== filter.sort)
      .map((sort) =>
        offer(texts.queue.sort.command(sortLabel({ view: filter.view, sort })), { ...filter, sort }),
      ),
    ...(filter.view === 'pending' ? [] : [null, ...statuses])
      .filter((status) => status !== filter.status)
      .map((status) => offer(texts.queue.status.command(status), { ...filter, status })),
    ...(isInThread ? [null, ...threadFilters] : [])
      .filter((thread) => thread !== filter.thread)
      .map((thread) =>
        offer(texts.queue.thread.command(threadLabel(thread).toLowerCase()), { ...filter, thread }),
      ),
  ])
  return (
    <div className={classes['menus']}>
      <RadioMenu
        icon={IconArrowsSort}
        label={texts.queue.sort.button(sortLabel(filter))}
        value={filter.sort}
        options={sorts.map((sort) => [sort, sortLabel({ view: filter.view, sort })] as const)}
        onChange={(sort) => onFilter({ ...filter, sort })}
      />
      {filter.view !== 'pending' && (
        <RadioMenu
          icon={filter.status === null ? IconFilter : IconFilterFilled}
          label={texts.queue.status.button(filter.status)}
          value={filter.status}
          options={[
            [null, texts.queue.status.any],
            ...statuses.map((status) => [status, statusLabel(status, counts)] as const),
          ]}
          onChange={(status) => onFilter({ ...filter, status })}
        />
      )}
      {isInThread && (
        <RadioMenu
          icon={filter.thread === null ? IconFilter : IconFilterFilled}
          label={texts.queue.thread.button(threadLabel(filter.thread).toLowerCase())}
          value={filter.thread}
          options={[null, ...threadFilters].map((thread) => [thread, threadLabel(thread)] as const)}
          onChange={(thread) => onFilter({ ...filter, thread })}
        />
      )}
    </div>
  )
}

/** A menu of which one option is selected. */
function RadioMenu<Value extends string | null>({
  icon: MenuIcon,
  label,
  value,
  options,
  onChange,
}: {
  icon: Icon
  label: string
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange: (value: Value) => void
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon size="sm" aria-label={label}>
            <MenuIcon size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={value ?? any}
          onChange={(chosen) => onChange((chosen === any ? null : chosen) as Value)}
        >
          {options.map(([option, text]) => (
            <Menu.RadioItem key={option ?? any} value={option ?? any} closeMenuOnClick>
              {text}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

const threadLabel = (filter: ThreadFilter | null): string =>
  filter === null ? texts.queue.thread.any : texts.queue.thread.filters[filter]

function statusLabel(status: ReleaseStatus, counts: StatusCounts | undefined): string {
  const word = upperFirst(status)
  return counts === undefined ? word : texts.queue.status.option(word, counts[status])
}
