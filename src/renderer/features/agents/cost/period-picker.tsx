import { TextInput } from '@mantine/core'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { Segmented } from '../../../components/list/segmented.tsx'
import { useNow } from '../../../lib/time/use-now.ts'
import { firstRange, periodLabel } from './period.ts'
import type { ViewPeriod } from './period.ts'
import classes from './period-picker.module.css'

interface Props {
  offered: readonly AgentPeriod[]
  value: ViewPeriod
  /** The address of the view with another time. */
  pathOf: (time: ViewPeriod) => string
  onRange: (time: ViewPeriod) => void
}

/** The time that a view is about; a range has its two days beside it. */
export function PeriodPicker({ offered, value, pathOf, onRange }: Props) {
  const now = useNow()
  const timeOf = (period: AgentPeriod): ViewPeriod =>
    period === 'range' ? firstRange(now) : { period, from: null, to: null }
  const days = [
    ['from', 'first day'],
    ['to', 'last day'],
  ] as const
  return (
    <>
      <Segmented
        label="Time"
        current={value.period}
        segments={offered.map((period) => ({
          key: period,
          label: periodLabel(period, now),
          href: pathOf(period === value.period ? value : timeOf(period)),
        }))}
      />
      {value.period === 'range' && (
        <span className={classes['days']}>
          {days.map(([key, label]) => (
            <TextInput
              key={key}
              size="sm"
              type="date"
              aria-label={`${key === 'from' ? 'From' : 'To'}, ${label}`}
              value={value[key] ?? ''}
              onChange={({ currentTarget }) =>
                onRange({ ...value, [key]: currentTarget.value === '' ? null : currentTarget.value })
              }
            />
          ))}
          days in UTC
        </span>
      )}
    </>
  )
}
