import { TextInput } from '@mantine/core'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { Segmented } from '../../../components/list/segmented.tsx'
import { useNow } from '../../../lib/time/use-now.ts'
import { Quiet } from '../components/signs.tsx'
import { firstRange, periodLabel } from './period.ts'
import type { ViewPeriod } from './period.ts'

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
        <DayRange value={value} onDays={(days) => onRange({ ...value, ...days })} />
      )}
    </>
  )
}

interface Days {
  from: string | null
  to: string | null
}

/** The first and the last day of a range, both included. */
export function DayRange({ value, onDays }: { value: Days; onDays: (days: Partial<Days>) => void }) {
  return (
    <>
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="sm"
          type="date"
          aria-label={key === 'from' ? 'From, first day' : 'To, last day'}
          value={value[key] ?? ''}
          onChange={({ currentTarget }) =>
            onDays({ [key]: currentTarget.value === '' ? null : currentTarget.value })
          }
        />
      ))}
      <Quiet>days in UTC</Quiet>
    </>
  )
}
