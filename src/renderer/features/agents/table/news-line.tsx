import { IconArrowUp } from '@tabler/icons-react'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import classes from './news-line.module.css'

interface Props {
  words: string | null
  onShow: () => void
  /** In the head of a section instead of a line of its own. */
  inline?: boolean
  /** Whether `.` shows it: of several lists on a page only one has the key. */
  keyed?: boolean
}

/** Says what has come since the rows of a list were put in place, where it moves none of them; shows it when asked. */
export function NewsLine({ words, onShow, inline = false, keyed = true }: Props) {
  useActions(
    words === null || !keyed
      ? []
      : [{ id: 'news', label: 'show what is new', group: 'Anywhere', keys: ['.'], run: onShow }],
  )
  return (
    <div className={classes['place']} data-inline={inline || undefined} role="status">
      {words !== null && (
        <button
          type="button"
          className={classes['news']}
          onClick={onShow}
          data-ring={inline ? undefined : 'inside'}
        >
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {words}
          <b>Show</b>
          {keyed && <Keycap keys="." quiet />}
        </button>
      )}
    </div>
  )
}
