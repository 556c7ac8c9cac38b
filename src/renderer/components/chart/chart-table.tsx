import { sumOf } from './chart-data.ts'
import type { ChartData, ChartPoint } from './chart-data.ts'
import classes from './chart.module.css'

/** The values of a chart as a table. */
export function ChartTable({
  title,
  kind,
  series,
  points,
  format,
  now = null,
}: ChartData & { title: string }) {
  const formatOrUnknown = (value: number | null | undefined): string =>
    value === null || value === undefined ? 'unknown' : format(value)
  const together = kind === 'bars' && series.length > 1
  const hasForecast = points.some(({ forecast }) => (forecast ?? null) !== null)
  return (
    // It scrolls, so it must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes['twin']} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" data-numeric>
                {name}
              </th>
            ))}
            {together && (
              <th scope="col" data-numeric>
                Total
              </th>
            )}
            {hasForecast && (
              <th scope="col" data-numeric>
                Forecast
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points.map((point, place) => (
            <tr key={point.title}>
              <th scope="row">{point.title}</th>
              {series.map(({ name }, index) => (
                <td key={name} data-numeric>
                  {isFuture(point, place, now) ? '' : formatOrUnknown(point.values[index])}
                </td>
              ))}
              {together && (
                <td data-numeric>{isFuture(point, place, now) ? '' : formatOrUnknown(sumOf(point))}</td>
              )}
              {hasForecast && (
                <td data-numeric>
                  {(point.forecast ?? null) === null ? '' : formatOrUnknown(point.forecast)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether a point is in the future: its values are unknown, not 0. */
function isFuture(point: ChartPoint, place: number, now: number | null): boolean {
  return (point.forecast ?? null) !== null && now !== null && place >= now && sumOf(point) === 0
}
