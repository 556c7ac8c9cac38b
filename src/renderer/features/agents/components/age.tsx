import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'

/** How long ago something was; the exact time on a closer look. */
export function Age({ at }: { at: string | null }) {
  const now = useNow()
  if (at === null) return <>unknown</>
  return (
    <time dateTime={at} title={at}>
      {formatAge(now - Date.parse(at))}
    </time>
  )
}
