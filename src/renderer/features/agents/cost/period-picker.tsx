import { TextInput } from '@mantine/core'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { Quiet } from '../components/values.tsx'
import { firstRange, periodLabel } from './period.ts'
import type { ViewPeriod } from './period.ts'
import { names, texts } from '../agents.texts.ts'

interface Props<Filter extends ViewPeriod> {
  offered: readonly Filter['period'][]
  state: FilterState<Filter>
}

/** Picks the period that a view shows; a range also has fields for its two days. */
export function PeriodPicker<Filter extends ViewPeriod>({ offered, state }: Props<Filter>) {
  const { filter, show } = state
  const now = useNow()
  return (
    <>
      <FieldSegments
        label={names.time}
        state={state}
        field="period"
        options={offered.map((period) => [period, periodLabel(period, now)])}
        along={(filter.period === 'range' ? {} : firstRange(now)) as Partial<Filter>}
      />
      {filter.period === 'range' && (
        <DayRange value={filter} onDays={(days) => show(days as Partial<Filter>)} />
      )}
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
