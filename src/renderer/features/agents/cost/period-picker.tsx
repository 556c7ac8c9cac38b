import { TextInput } from '@mantine/core'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { Segmented } from '../../../components/list/segmented.tsx'
import type { ViewFilter } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { Quiet } from '../components/values.tsx'
import { firstRange, periodLabel } from './period.ts'
import type { ViewPeriod } from './period.ts'
import { texts } from '../agents.texts.ts'

interface Props<Filter extends ViewPeriod> {
  offered: readonly AgentPeriod[]
  view: ViewFilter<Filter>
  filter: Filter
  onRange: (days: Partial<Days>) => void
}

/** Picks the period that a view shows; a range also has fields for its two days. */
export function PeriodPicker<Filter extends ViewPeriod>(picker: Props<Filter>) {
  const { offered, view, filter, onRange } = picker
  const now = useNow()
  const timeOf = (period: AgentPeriod): Partial<ViewPeriod> =>
    period === 'range' && filter.period !== 'range' ? firstRange(now) : { period }
  return (
    <>
      <Segmented
        label={texts.names.time}
        current={filter.period}
        segments={offered.map((period) => ({
          key: period,
          label: periodLabel(period, now),
          href: view.path({ ...filter, ...timeOf(period) }),
        }))}
      />
      {filter.period === 'range' && <DayRange value={filter} onDays={onRange} />}
    </>
  )
}

interface Days {
  from: string | null
  to: string | null
}

/** The first and the last day of a range, both inclusive. */
export function DayRange({ value, onDays }: { value: Days; onDays: (days: Partial<Days>) => void }) {
  return (
    <>
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="sm"
          type="date"
          aria-label={key === 'from' ? texts.cost.period.first : texts.cost.period.last}
          value={value[key] ?? ''}
          onChange={({ currentTarget }) =>
            onDays({ [key]: currentTarget.value === '' ? null : currentTarget.value })
          }
        />
      ))}
      <Quiet>{texts.cost.period.utc}</Quiet>
    </>
  )
}
