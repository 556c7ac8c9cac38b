import { IconArrowUp } from '@tabler/icons-react'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import classes from './section-news.module.css'

interface Props {
  words: string | null
  onShow: () => void
  /** Whether `.` shows it: of several tables on a page only one has the key. */
  keyed?: boolean
}

/** What has come since the rows of a table were put in place, in a place where it moves nothing. */
export function SectionNews({ words, onShow, keyed = false }: Props) {
  useActions(
    words === null || !keyed
      ? []
      : [{ id: 'news', label: 'show what is new', group: 'Anywhere', keys: ['.'], run: onShow }],
  )
  return (
    <span className={classes['place']} role="status">
      {words !== null && (
        <button type="button" className={classes['news']} onClick={onShow}>
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {words}
          <b>Show</b>
          {keyed && <Keycap keys="." quiet />}
        </button>
      )}
    </span>
  )
}
