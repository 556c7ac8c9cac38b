import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { SpendRow } from '../../../../shared/contracts/desk-agents-cost.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { formatCents } from './money.ts'
import { seriesName } from './spend-points.ts'
import { tokenFormat } from './tokens.ts'
import { inDesk } from '../view-address.ts'
import classes from '../table/side-table.module.css'

interface Props {
  by: 'model' | 'agent'
  rows: { items: readonly SpendRow[]; total: number }
  together: SpendRow | null
  /** What chooses and saves the rows, beside their head. */
  children: ReactNode
}

/** What each model or agent has taken and cost; calls without price are counted apart, and never as $0. */
export function SpendTable({ by, rows, together, children }: Props) {
  const all = together === null ? rows.items : [...rows.items, together]
  const tokens = tokenFormat(all.flatMap((row) => [row.tokensIn, row.tokensOut]))
  const hasUnpriced = all.some(({ spend }) => spend.unpriced > 0)
  const cells = (row: SpendRow) => (
    <>
      <td data-numeric>{formatCount(row.spend.calls)}</td>
      {hasUnpriced && <td data-numeric>{formatCount(row.spend.unpriced)}</td>}
      <td data-numeric>{tokens(row.tokensIn)}</td>
      <td data-numeric>{tokens(row.tokensOut)}</td>
      <td data-numeric data-strong={row.spend.cents === null ? undefined : ''}>
        {formatCents(row.spend.cents)}
      </td>
    </>
  )
  const more = rows.total - rows.items.length
  return (
    <div className={classes['side']}>
      <header className={classes['head']}>
        <h2>By {by}</h2>
        {children}
      </header>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={`Spend by ${by}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{by === 'model' ? 'Model' : 'Agent'}</th>
              <th scope="col" data-numeric>
                Calls
              </th>
              {hasUnpriced && (
                <th scope="col" data-numeric>
                  no price
                </th>
              )}
              <th scope="col" data-numeric>
                Tokens in
              </th>
              <th scope="col" data-numeric>
                out
              </th>
              <th scope="col" data-numeric>
                Spent
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.items.map((row) => (
              <tr key={row.name ?? ''}>
                <th scope="row" data-mono={by === 'model' && row.name !== null ? '' : undefined}>
                  {by === 'agent' && row.name !== null ? (
                    <Link href={inDesk(agentPlaces.agent(row.name))} title={row.name}>
                      {row.name}
                    </Link>
                  ) : (
                    <span title={row.name ?? undefined}>{seriesName(row.name, by)}</span>
                  )}
                </th>
                {cells(row)}
              </tr>
            ))}
            {more > 0 && (
              <tr>
                <td colSpan={hasUnpriced ? 6 : 5}>and {plural(more, by)} more; the files have all of them</td>
              </tr>
            )}
          </tbody>
          {together !== null && (
            <tfoot>
              <tr>
                <th scope="row">Together</th>
                {cells(together)}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </div>
  )
}
