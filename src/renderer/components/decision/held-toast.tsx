import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { CSSProperties } from 'react'
import {
  heldSentence,
  heldTitle,
  latestOwn,
  othersWait,
  secondsLeft,
  undoHeld,
} from '../../lib/server/held-decisions.ts'
import type { OwnHeld } from '../../lib/server/held-decisions.ts'
import { ActionButton } from '../form/action-button.tsx'
import { useStore } from '../../lib/state/store.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { decisionKeys } from './decision-keys.ts'
import classes from '../feedback/toast-area.module.css'

/** The decision that Undo applies to next, while the server holds it. */
export function HeldToast({ list }: { list: readonly OwnHeld[] }) {
  const now = useNow(250)
  const undo = useStore(undoHeld)
  const one = latestOwn(list)
  if (one === null) return null
  const seconds = secondsLeft(one, now)
  const others = othersWait(list.filter(({ until }) => until > now && until !== one.until).length)
  return (
    <div className={classes['toast']} data-toast="held">
      <Ring key={`${one.releaseId} ${one.until}`} {...one} />
      <p>
        <b>
          {one.name} {one.version}
        </b>{' '}
        {heldSentence(one, seconds)}
      </p>
      {others !== '' && <p className={classes['others']}>{others}</p>}
      {seconds > 0 && (
        <ActionButton
          size="sm"
          variant="transparent"
          className={classes['action'] ?? ''}
          onClick={() => undo(one.releaseId)}
          keys={decisionKeys.undo}
        >
          Undo<VisuallyHidden> {heldTitle(one)}</VisuallyHidden>
        </ActionButton>
      )}
    </div>
  )
}

const radius = 7
const circumference = 2 * Math.PI * radius

/** What is left of the undo window. Hidden with reduced motion, where the seconds in the sentence are enough. */
function Ring({ undoMs, until }: Pick<OwnHeld, 'undoMs' | 'until'>) {
  const [left] = useState(() => Math.max(0, until - Date.now()))
  const style: CSSProperties & Record<`--${string}`, number> = {
    '--from': circumference * (1 - Math.min(1, left / undoMs)),
    '--to': circumference,
    animationDuration: `${left}ms`,
  }
  return (
    <svg className={classes['ring']} viewBox="0 0 18 18" width={18} height={18} aria-hidden>
      <circle cx={9} cy={9} r={radius} className={classes['track']} />
      <circle
        cx={9}
        cy={9}
        r={radius}
        className={classes['rest']}
        strokeDasharray={circumference}
        style={style}
      />
    </svg>
  )
}
