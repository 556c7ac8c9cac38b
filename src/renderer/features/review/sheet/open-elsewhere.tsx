import { VisuallyHidden } from '@mantine/core'
import { Avatar } from '../../../components/avatar.tsx'
import { namesAt, openElsewhere } from '../../../lib/server/desk-presence.ts'
import { useStore } from '../../../lib/state/store.ts'
import { texts } from '../review.texts.ts'
import classes from './open-elsewhere.module.css'

/** `Tomáš Novák also has this open`, next to their avatars. In the queue there is only room for two avatars. */
export function OpenElsewhere({ releaseId, short = false }: { releaseId: number; short?: boolean }) {
  const names = namesAt(useStore(openElsewhere), releaseId)
  if (names.length === 0) return null
  const sentence = texts.release.alsoOpen(names)
  return (
    <span
      className={classes['open']}
      {...(short ? { 'data-short': true, title: sentence } : { 'data-text': 'note' })}
    >
      {names.slice(0, short ? 2 : 3).map((name, index) => (
        // Two people may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <Avatar key={index} name={name} />
      ))}
      {short && names.length > 2 && <span aria-hidden>+{names.length - 2}</span>}
      {short ? <VisuallyHidden>{sentence}</VisuallyHidden> : <span>{sentence}</span>}
    </span>
  )
}
