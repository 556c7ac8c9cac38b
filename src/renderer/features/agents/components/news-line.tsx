import { IconArrowUp } from '@tabler/icons-react'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import classes from './news-line.module.css'

/** Says over a list what has come since its rows were put in place, and puts it in place when asked. */
export function NewsLine({ words, onShow }: { words: string | null; onShow: () => void }) {
  useActions(
    words === null
      ? []
      : [{ id: 'news', label: 'show what is new', group: 'Anywhere', keys: ['.'], run: onShow }],
  )
  return (
    <div className={classes['place']} role="status">
      {words !== null && (
        <button type="button" className={classes['news']} onClick={onShow} data-ring="inside">
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {words}
          <b>Show</b>
          <Keycap keys="." quiet />
        </button>
      )}
    </div>
  )
}
