import { IconArrowUp } from '@tabler/icons-react'
import { Keycap } from '../form/keycap.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import classes from './filter-bar.module.css'

interface Props {
  text: string | null
  onShow: () => void
  /** On a line of its own, in the heading of a section, over the column headings, or above a list only when needed. */
  place?: 'line' | 'inline' | 'over' | 'bar'
  /** Whether `.` is its shortcut; only one list of a page can have it. */
  keyed?: boolean
}

/** Says how many rows are new without moving the list, and shows them on request. */
export function NewsLine({ text, onShow, place = 'line', keyed = true }: Props) {
  useActions(
    text === null || !keyed
      ? []
      : [{ id: 'news', label: 'show new rows', group: 'Anywhere', keys: ['.'], run: onShow }],
  )
  return (
    <div className={classes['news']} data-place={place} role="status">
      {text !== null && (
        <button type="button" onClick={onShow} data-ring={place === 'inline' ? undefined : 'inside'}>
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {text}
          <b>Show</b>
          {keyed && <Keycap keys="." quiet />}
        </button>
      )}
    </div>
  )
}
