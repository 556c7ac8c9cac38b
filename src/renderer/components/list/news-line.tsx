import { IconArrowUp } from '@tabler/icons-react'
import { Keycap } from '../form/keycap.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import classes from './filter-bar.module.css'

interface Props {
  words: string | null
  onShow: () => void
  /** Where it is: in a line of its own, in the head of a section, or over the names of the columns. */
  place?: 'line' | 'inline' | 'over'
  /** Whether `.` shows it: of several lists on a page only one has the key. */
  keyed?: boolean
}

/** Says what has come since the rows of a list were put in place, where it moves none of them; shows it when asked. */
export function NewsLine({ words, onShow, place = 'line', keyed = true }: Props) {
  useActions(
    words === null || !keyed
      ? []
      : [{ id: 'news', label: 'show what is new', group: 'Anywhere', keys: ['.'], run: onShow }],
  )
  return (
    <div className={classes['news']} data-place={place} role="status">
      {words !== null && (
        <button type="button" onClick={onShow} data-ring={place === 'inline' ? undefined : 'inside'}>
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {words}
          <b>Show</b>
          {keyed && <Keycap keys="." quiet />}
        </button>
      )}
    </div>
  )
}
