import { Avatar } from '../../../components/avatar.tsx'
import { namesAt, openElsewhere } from '../../../lib/desk-presence.ts'
import { listWords } from '../../../lib/format.ts'
import { useStore } from '../../../lib/store.ts'
import classes from './open-elsewhere.module.css'

/** `Tomáš Novák has this open too` */
export function OpenElsewhere({ releaseId, me }: { releaseId: number; me: number }) {
  const names = namesAt(useStore(openElsewhere), releaseId, me)
  if (names.length === 0) return null
  return (
    <span className={classes['open']}>
      {names.slice(0, 3).map((name) => (
        <Avatar key={name} name={name} size={18} />
      ))}
      <span>
        {listWords(names)} {names.length === 1 ? 'has' : 'have'} this open too
      </span>
    </span>
  )
}
