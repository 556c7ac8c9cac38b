import { useId, useState } from 'react'
import { TextButton } from '../form/text-button.tsx'
import { colorAt } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import { ChartPicture } from './chart-picture.tsx'
import { ChartLegend, ChartSwatch } from './chart-swatch.tsx'
import { ChartTable } from './chart-table.tsx'
import classes from './chart.module.css'

interface Props extends ChartData {
  /** What the chart shows, with period and time zone: `Spend by hour, today (UTC)`. */
  title: string
  /** Whether the title is shown elsewhere already. */
  untitled?: boolean
  height?: number
  /** A note below the chart. */
  note?: string | null
}

/** Values over time as a chart or as a table. */
export function Chart({ title, untitled = false, height = 220, note = null, ...data }: Props) {
  const [table, setTable] = useState(false)
  const id = useId()
  const hasForecast = data.points.some(({ forecast }) => (forecast ?? null) !== null)
  const hasLegend = data.series.length > 1 || hasForecast
  return (
    <figure className={classes['chart']} aria-label={title}>
      <div className={classes['head']} hidden={untitled && !hasLegend}>
        {!untitled && <h2>{title}</h2>}
        {hasLegend && (
          <ChartLegend label="Legend">
            {data.series.map(({ name, color }, index) => (
              <li key={name}>
                <ChartSwatch kind={data.kind} color={color ?? colorAt(index)} index={index} />
                {name}
              </li>
            ))}
            {hasForecast && (
              <li>
                <ChartSwatch kind="forecast" color="ink3" index={0} />
                forecast
              </li>
            )}
          </ChartLegend>
        )}
      </div>
      <div id={id}>
        {table ? (
          <ChartTable title={title} {...data} />
        ) : (
          <ChartPicture title={title} height={height} {...data} />
        )}
      </div>
      <div className={classes['foot']} data-text="note">
        <TextButton aria-expanded={table} aria-controls={id} onClick={() => setTable(!table)}>
          {table ? 'Show as chart' : 'Show as table'}
        </TextButton>
        {note !== null && <span>{note}</span>}
      </div>
    </figure>
  )
}
