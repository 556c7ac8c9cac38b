import { Button } from '@mantine/core'
import { formatCount, plural } from '../../../lib/format.ts'
import { utcClock } from '../agent-time.ts'
import classes from './audit-page.module.css'
import { searchedPart } from './audit-search.ts'
import type { AuditFound } from './audit-search.ts'
import type { Search } from './audit-list.ts'
import { ProgressLine } from '../components/progress-line.tsx'

/** How far the search is, with the way to end it or to go on. */
export function AuditSearchLine({ search: { found, cancel, goOn } }: { search: Search }) {
  const part = searchedPart(found)
  return (
    <div className={classes['line']}>
      {found.state === 'searching' && <ProgressLine label="Rows searched" done={part} />}
      <span role="status">{wordsOf(found, part)}</span>
      {found.state === 'searching' && (
        <Button size="xs" onClick={cancel}>
          Cancel
        </Button>
      )}
      {found.state === 'cancelled' && (
        <Button size="xs" onClick={goOn}>
          Search on
        </Button>
      )}
    </div>
  )
}

function wordsOf({ state, rows, at, page }: AuditFound, part: number | null): string {
  const found = `${plural(rows.length, 'row')} found`
  const share = part === null ? '' : ` in ${Math.floor(part * 100)} % of the audit`
  const down = at === null ? '' : `, down to row ${formatCount(at)}`
  const when = page === null ? '' : `, as of ${utcClock(page.stamp.readAt)} UTC`
  switch (state) {
    case 'searching':
      return `Searching: ${found}${share}`
    case 'resting':
      return `${found}${down}; more when you scroll on`
    case 'cancelled':
      return `Cancelled: ${found}${share}${down}`
    case 'failed':
      return `The search has stopped: ${found}${share}${down}`
    case 'done':
      return `${found} in the whole audit${when}`
    default:
      return state satisfies never
  }
}
