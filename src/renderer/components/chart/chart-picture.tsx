import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { ChartAxes } from './chart-axes.tsx'
import { boxOf } from './chart-box.ts'
import { largestOf, linesOf } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import { ChartMarks } from './chart-marks.tsx'
import { ticksFor } from './chart-scale.ts'
import classes from './chart.module.css'

interface Props extends ChartData {
  title: string
  height: number
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/** The drawn chart. The arrow keys and the pointer show the values of a point. */
export function ChartPicture({ title, height, ...data }: Props) {
  const [element, width] = useWidth()
  const [active, setActive] = useState<number | null>(null)
  const [focused, setFocused] = useState(0)
  const id = useId()
  const { points } = data
  const { step, top, ticks } = ticksFor(largestOf(data), data.whole === true)
  const labels = ticks.map((value) => data.formatTick(value, step))
  const box = boxOf(width, height, points.length, top, labels)
  const at = Math.min(focused, points.length - 1)
  const point = active === null ? undefined : points[active]

  const moveByKey = (event: KeyboardEvent): void => {
    const by = steps[event.key]
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? points.length - 1 : at + (by ?? 0)
    if (by === undefined && event.key !== 'Home' && event.key !== 'End') return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(points.length - 1, to))
    setFocused(next)
    setActive(next)
  }
  const show = ({ currentTarget, clientX }: PointerEvent): void => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    const place = Math.floor((x - box.left) / box.slot)
    setActive(place >= 0 && place < points.length ? place : null)
  }
  const shown = points[at]
  return (
    <div
      ref={element}
      className={classes['picture']}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={`${title}: values`}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, points.length)}
      aria-valuenow={at + 1}
      aria-valuetext={
        shown === undefined ? 'no values' : `${shown.title}: ${linesOf(data, shown).join(', ')}`
      }
      aria-orientation="horizontal"
      aria-describedby={id}
      onKeyDown={moveByKey}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) setActive(at)
      }}
      onBlur={() => setActive(null)}
      onPointerMove={show}
      onPointerLeave={() => setActive(null)}
    >
      <span id={id} hidden>
        Use the arrow keys to move between values. “Show as table” shows the same values in a table.
      </span>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden focusable="false">
          <ChartAxes box={box} ticks={ticks} labels={labels} {...data} />
          <ChartMarks box={box} active={active} {...data} />
        </svg>
      )}
      {point !== undefined && active !== null && (
        <div
          className={classes['readout']}
          aria-hidden
          style={
            box.xOf(active) > width / 2
              ? { right: width - box.xOf(active) + box.slot / 2 + 6 }
              : { left: box.xOf(active) + box.slot / 2 + 6 }
          }
        >
          <b>{point.title}</b>
          {linesOf(data, point).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </div>
      )}
    </div>
  )
}

function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  return [ref, width]
}
