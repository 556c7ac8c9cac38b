import { formatAgo, formatWhen } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'

/** A short date or time, with the exact one as a tooltip. */
export function When({ at, ago = false }: { at: string; ago?: boolean }) {
  const now = useNow()
  return (
    <time dateTime={at} title={at}>
      {ago ? formatAgo(at, now) : formatWhen(at, now)}
    </time>
  )
}
