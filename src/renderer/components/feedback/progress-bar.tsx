import classes from './progress-bar.module.css'

/** How much of something is done, from 0 to 1; null while that is not known. */
export function ProgressBar({ label, done }: { label: string; done: number | null }) {
  const percent = done === null ? undefined : Math.round(done * 100)
  return (
    <span
      className={classes['bar']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent ?? 0}%` }} />
    </span>
  )
}
