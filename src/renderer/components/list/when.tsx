import { formatAgo, formatWhen } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'

interface Props {
  at: string
  ago?: boolean
  /** By default a short date or time, or how long ago it was. */
  format?: (at: string, now: number) => string
}

/** A date or time, with the exact one as a tooltip. */
export function When({ at, ago = false, format = ago ? formatAgo : formatWhen }: Props) {
  const now = useNow()
  return (
    <time dateTime={at} title={at}>
      {format(at, now)}
    </time>
  )
}
