import type { UploadProgress } from '../../../lib/upload/upload.ts'
import { texts } from '../own.texts.ts'
import classes from './file-pick.module.css'

/** The progress of an upload. */
export function SubmissionProgress({ progress: { sent, total } }: { progress: UploadProgress }) {
  const percent = total === 0 ? 0 : Math.floor((sent / total) * 100)
  return (
    <div className={classes['progress']}>
      <span
        role="progressbar"
        aria-label={texts.submission.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
      <p>
        {sent >= total && total > 0
          ? texts.submission.checking(total)
          : texts.submission.sent(sent, total, percent)}
      </p>
    </div>
  )
}
