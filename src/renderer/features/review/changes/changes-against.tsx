import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Status } from '../../../components/feedback/status.tsx'
import { formatDate } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import type { Comparison } from './comparison.ts'
import { texts } from '../review.texts.ts'
import classes from './changes.module.css'

const nothing = 'nothing'

interface Props {
  release: DeskRelease
  comparison: Comparison
}

/** Selects the version to compare with: the latest approved one, any other version, or nothing. */
export function ChangesAgainst({ release, comparison: { baseId, base, choose } }: Props) {
  const now = useNow()
  const { siblings } = release
  if (siblings.length === 0) return <span className={classes['against']}>{texts.changes.firstRelease}</span>
  const sibling = siblings.find(({ id }) => id === baseId)
  const decided = base?.history[0]
  return (
    <span className={classes['against']}>
      {texts.changes.comparedWith}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="sm" rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}>
            {sibling === undefined ? (
              texts.changes.nothing
            ) : (
              <>
                {sibling.version}, {sibling.status}
                {decided === undefined ? '' : ` ${formatDate(decided.decidedAt, now)}`}
              </>
            )}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes['versions'] ?? ''}>
          <Menu.RadioGroup
            value={baseId === null ? nothing : String(baseId)}
            onChange={(value) => choose(value === nothing ? null : Number(value))}
          >
            {siblings.map(({ id, version, status, createdAt }) => (
              <Menu.RadioItem key={id} value={String(id)} closeMenuOnClick>
                <span className={classes['version']}>
                  <code>{version}</code>
                  <Status kind={status} />
                  <span data-text="note">{texts.changes.submitted(formatDate(createdAt, now))}</span>
                </span>
              </Menu.RadioItem>
            ))}
            <Menu.RadioItem value={nothing} closeMenuOnClick>
              {texts.changes.nothing}
            </Menu.RadioItem>
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
