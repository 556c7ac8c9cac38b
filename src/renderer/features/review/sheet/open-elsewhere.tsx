import { Avatar } from '../../../components/avatar.tsx'
import { namesAt, openElsewhere } from '../../../lib/server/desk-presence.ts'
import { listWords } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import classes from './open-elsewhere.module.css'

/** `Tomáš Novák has this open too` */
export function OpenElsewhere({ releaseId }: { releaseId: number }) {
  const names = namesAt(useStore(openElsewhere), releaseId)
  if (names.length === 0) return null
  return (
    <span className={classes['open']}>
      {names.slice(0, 3).map((name, index) => (
        // Two people may have one name.
        // oxlint-disable-next-line react/no-array-index-key
        <Avatar key={index} name={name} size={18} />
      ))}
      <span>
        {listWords(names)} {names.length === 1 ? 'has' : 'have'} this open too
      </span>
    </span>
  )
}
