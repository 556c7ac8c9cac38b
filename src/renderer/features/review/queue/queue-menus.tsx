import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconArrowsSort, IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { queueSorts, queueViews } from '../../../../shared/contracts/desk-review.ts'
import type { QueueSort, StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
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
  onFilter: (filter: QueueFilter) => void
}

/** The menus for sort order and status. */
export function QueueMenus({ filter, counts, onFilter }: Props) {
  // Decided releases no longer wait, so sorting by waiting time is not offered for them.
  const sorts = queueSorts.filter((sort) => filter.view !== 'decided' || sort !== 'waiting')
  const statuses = releaseStatuses.filter((status) => filter.view === 'all' || status !== 'pending')
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
  ])
  return (
    <div className={classes['menus']}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={texts.queue.sort.button(sortLabel(filter))}>
            <ActionIcon size="sm" aria-label={texts.queue.sort.button(sortLabel(filter))}>
              <IconArrowsSort size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={filter.sort}
            onChange={(value) => onFilter({ ...filter, sort: value as QueueSort })}
          >
            {sorts.map((sort) => (
              <Menu.RadioItem key={sort} value={sort} closeMenuOnClick>
                {sortLabel({ view: filter.view, sort })}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {filter.view !== 'pending' && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Tooltip label={texts.queue.status.button(filter.status)}>
              <ActionIcon size="sm" aria-label={texts.queue.status.button(filter.status)}>
                {filter.status === null ? (
                  <IconFilter size={16} stroke={1.75} />
                ) : (
                  <IconFilterFilled size={16} stroke={1.75} />
                )}
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.RadioGroup
              value={filter.status ?? any}
              onChange={(value) =>
                onFilter({ ...filter, status: value === any ? null : (value as ReleaseStatus) })
              }
            >
              <Menu.RadioItem value={any} closeMenuOnClick>
                {texts.queue.status.any}
              </Menu.RadioItem>
              {statuses.map((status) => (
                <Menu.RadioItem key={status} value={status} closeMenuOnClick>
                  {statusLabel(status, counts)}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

function statusLabel(status: ReleaseStatus, counts: StatusCounts | undefined): string {
  const word = upperFirst(status)
  return counts === undefined ? word : texts.queue.status.option(word, counts[status])
}
