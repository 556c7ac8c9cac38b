import { Avatar } from '../../../components/avatar.tsx'
import { namesAt, openElsewhere } from '../../../lib/server/desk-presence.ts'
import { useStore } from '../../../lib/state/store.ts'
import { texts } from '../review.texts.ts'
import classes from './open-elsewhere.module.css'

/** `Tomáš Novák also has this open` */
export function OpenElsewhere({ releaseId }: { releaseId: number }) {
  const names = namesAt(useStore(openElsewhere), releaseId)
  if (names.length === 0) return null
  return (
    <span className={classes['open']} data-text="note">
      {names.slice(0, 3).map((name, index) => (
        // Two people may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <Avatar key={index} name={name} />
      ))}
      <span>{texts.release.alsoOpen(names)}</span>
    </span>
  )
}
