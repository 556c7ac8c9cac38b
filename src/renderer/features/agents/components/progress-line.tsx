import classes from './progress-line.module.css'

/** How much of something is done, from 0 to 1; null while that is not known. */
export function ProgressLine({ label, done }: { label: string; done: number | null }) {
  const percent = done === null ? null : Math.round(done * 100)
  return (
    <span
      className={classes['track']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
    >
      <i style={{ width: `${percent ?? 0}%` }} />
    </span>
  )
}
