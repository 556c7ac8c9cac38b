import { Link } from 'wouter'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { brokerFilter } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { formatLatency, typeWords } from './broker-words.ts'
import { formatCents } from '../cost/money.ts'
import classes from '../table/side-table.module.css'

interface Props {
  handlers: AgentBroker['byHandler']
  together: AgentBroker['together']
  filter: BrokerFilter
}

/** Who has handled how much, what it cost and how fast it was; a name shows its decisions below. */
export function HandlerTable({ handlers, together, filter }: Props) {
  const more = handlers.total - handlers.items.length
  return (
    <div className={classes['side']}>
      <header className={classes['head']}>
        <h2>By handler</h2>
      </header>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Routes by handler">
        <table>
          <thead>
            <tr>
              <th scope="col">Handler</th>
              <th scope="col">Type</th>
              {['Routes', 'Cost', 'p50', 'p95'].map((head) => (
                <th key={head} scope="col" data-numeric>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {handlers.items.map(({ handler, type, sum }) => (
              <tr key={`${type} ${handler ?? ''}`}>
                <th scope="row">
                  {handler === null ? (
                    <span>no handler named</span>
                  ) : (
                    <Link href={brokerFilter.path({ ...filter, handler, type })} title={handler} replace>
                      {handler}
                    </Link>
                  )}
                </th>
                <td>{typeWords[type]}</td>
                <Sums sum={sum} />
              </tr>
            ))}
            {more > 0 && (
              <tr>
                <td colSpan={6}>and {plural(more, 'handler')} more</td>
              </tr>
            )}
          </tbody>
          {together !== null && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  Together
                </th>
                <Sums sum={together} />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </div>
  )
}

function Sums({ sum }: { sum: NonNullable<AgentBroker['together']> }) {
  return (
    <>
      <td data-numeric data-strong>
        {formatCount(sum.routes)}
      </td>
      <td data-numeric>{formatCents(sum.cents)}</td>
      <td data-numeric>{formatLatency(sum.p50)}</td>
      <td data-numeric>{formatLatency(sum.p95)}</td>
    </>
  )
}
