import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount, listWords } from '../../../lib/format.ts'
import classes from './counting.module.css'

/** What an answer could not know yet, or at all. */
export function Counting({ stamp: { counting, missingTables } }: { stamp: AgentStamp }) {
  if (counting === null && missingTables.length === 0) return null
  return (
    <p className={classes['counting']} role="status">
      {counting !== null &&
        `Reading all rows once: ${formatCount(counting.done)} of ${formatCount(counting.total)}. Sums follow when all are read. `}
      {missingTables.length > 0 &&
        `The database has no ${missingTables.length === 1 ? 'table' : 'tables'} ${listWords(missingTables)}; what ${missingTables.length === 1 ? 'it tells' : 'they tell'} is unknown.`}
    </p>
  )
}
