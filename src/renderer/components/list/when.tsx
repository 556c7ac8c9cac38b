import { formatAgo, formatWhen } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'

/** A point in time in short words; the exact one on a closer look. */
export function When({ at, ago = false }: { at: string; ago?: boolean }) {
  const now = useNow()
  return (
    <time dateTime={at} title={at}>
      {ago ? formatAgo(at, now) : formatWhen(at, now)}
    </time>
  )
}
