import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'

/** A point in time of an agent project, in UTC; the exact one on a closer look. `unknown` where there is none. */
export function Utc({ at }: { at: string | null }) {
  const now = useNow()
  if (at === null) return <>unknown</>
  return (
    <time dateTime={at} title={at}>
      {utcWhen(at, now)}
    </time>
  )
}
