import { colorAt, paint, sumOf } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import type { ChartBox } from './chart-box.ts'
import { linePieces, stack } from './chart-scale.ts'
import { dashes } from './chart-swatch.tsx'

interface Props extends ChartData {
  box: ChartBox
  /** The highlighted point. */
  active: number | null
}

/** The bars or lines, the current time and the highlighted point. */
export function ChartMarks({ box, active, ...data }: Props) {
  const { now = null } = data
  const x = now === null ? 0 : Math.round(box.left + now * box.slot) + 0.5
  return (
    <>
      {active !== null && (
        <rect
          x={box.left + active * box.slot}
          y={box.top}
          width={box.slot}
          height={box.bottom - box.top}
          fill={paint('accent-tint')}
        />
      )}
      {data.kind === 'bars' ? <Bars box={box} {...data} /> : <Lines box={box} {...data} />}
      {now !== null && (
        <line x1={x} x2={x} y1={box.top - 8} y2={box.bottom} stroke={paint('ink2')}>
          <title>now</title>
        </line>
      )}
    </>
  )
}

function Bars({ box, series, points, limit }: ChartData & { box: ChartBox }) {
  const width = Math.max(1, Math.min(box.slot * 0.76, 40))
  return points.map((point, place) => {
    const x = box.xOf(place) - width / 2
    const sum = sumOf(point) ?? 0
    const forecast = point.forecast ?? 0
    const tooMuch = limit !== undefined && sum >= limit.value
    return (
      // Points have no key but their index.
      // oxlint-disable-next-line react/no-array-index-key
      <g key={place}>
        {stack(point.values).map(({ from, to }, index) => {
          const bottom = box.yOf(from)
          // Stacked parts are one pixel apart.
          const high = bottom - box.yOf(to) - (from > 0 ? 1 : 0)
          return (
            high > 0.2 && (
              <rect
                key={series[index]?.name ?? index}
                x={x}
                y={box.yOf(to)}
                width={width}
                height={high}
                fill={paint(tooMuch ? 'bad' : (series[index]?.color ?? colorAt(index)))}
              />
            )
          )
        })}
        {forecast > 0 && (
          <path
            d={outline(x + 0.5, width - 1, box.yOf(sum), box.yOf(sum + forecast) + 0.5)}
            fill="none"
            stroke={paint('ink3')}
            strokeDasharray="2 2"
          />
        )}
        {sumOf(point) === null && forecast === 0 && (
          <text x={box.xOf(place)} y={box.bottom - 4} textAnchor="middle" fontSize={11} fill={paint('ink3')}>
            ?
          </text>
        )}
      </g>
    )
  })
}

/** The left, top and right sides of a box. */
function outline(x: number, width: number, bottom: number, top: number): string {
  return `M${x} ${bottom}V${top}H${x + width}V${bottom}`
}

function Lines({ box, series, points }: ChartData & { box: ChartBox }) {
  return series.map(({ name, color }, index) => {
    const stroke = paint(color ?? colorAt(index))
    return linePieces(points.map(({ values }) => values[index] ?? null)).map((piece) => {
      const [first] = piece
      if (first === undefined) return null
      const at = piece.map(([place, value]) => `${box.xOf(place)} ${box.yOf(value)}`)
      return piece.length === 1 ? (
        <circle
          key={`${name} ${first[0]}`}
          cx={box.xOf(first[0])}
          cy={box.yOf(first[1])}
          r={2.5}
          fill={stroke}
        />
      ) : (
        <path
          key={`${name} ${first[0]}`}
          d={`M${at.join('L')}`}
          fill="none"
          stroke={stroke}
          strokeWidth={2}
          strokeLinejoin="round"
          strokeDasharray={dashes[index]}
        />
      )
    })
  })
}
