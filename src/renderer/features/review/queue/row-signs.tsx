import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconArrowUpRight,
  IconCheck,
  IconHelpCircle,
  IconSparkles,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { plural } from '../../../lib/format.ts'
import type { ReviewRow } from '../review.api.ts'
import classes from './row-signs.module.css'

/** What the checks found in a pending release, in a few signs: a word or a number, a shape, and then a colour. */
export function RowSigns({ row: { checks, first } }: { row: Pick<ReviewRow, 'checks' | 'first'> }) {
  const isClean = checks !== null && checks.errors === 0 && checks.warnings === 0 && !checks.grew
  return (
    <span className={classes['signs']}>
      {checks?.grew === true && <Sign icon={IconArrowUpRight} tone="bad" text="grew" />}
      {checks !== null && checks.errors > 0 && (
        <Sign icon={IconAlertOctagonFilled} tone="bad" count={checks.errors} text="error" />
      )}
      {checks !== null && checks.warnings > 0 && (
        <Sign icon={IconAlertTriangle} tone="warn" count={checks.warnings} text="warning" />
      )}
      {first && <Sign icon={IconSparkles} text="first" />}
      {isClean && !first && <Sign icon={IconCheck} text="clean" />}
      {checks === null && !first && <Sign icon={IconHelpCircle} text="not checked" />}
    </span>
  )
}

/** A number stands for its word, which is read aloud. */
function Sign({
  icon: SignIcon,
  tone,
  text,
  count,
}: {
  icon: Icon
  tone?: 'bad' | 'warn'
  text: string
  count?: number
}) {
  return (
    <span
      className={classes['sign']}
      data-tone={tone}
      title={count === undefined ? undefined : plural(count, text)}
    >
      <SignIcon size={14} stroke={1.75} aria-hidden />
      {count === undefined ? (
        text
      ) : (
        <>
          <span aria-hidden>{count}</span>
          <VisuallyHidden>{plural(count, text)}</VisuallyHidden>
        </>
      )}
    </span>
  )
}
