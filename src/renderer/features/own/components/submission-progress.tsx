import { ProgressBar } from '../../../components/feedback/progress-bar.tsx'
import type { UploadProgress } from '../../../lib/upload/upload.ts'
import { texts } from '../own.texts.ts'
import classes from './file-pick.module.css'

/** The progress of an upload. */
export function SubmissionProgress({ progress: { sent, total } }: { progress: UploadProgress }) {
  const percent = total === 0 ? 0 : Math.floor((sent / total) * 100)
  return (
    <div className={classes['progress']}>
      <ProgressBar label={texts.submission.progress} done={percent / 100} />
      <p>
        {sent >= total && total > 0
          ? texts.submission.checking(total)
          : texts.submission.sent(sent, total, percent)}
      </p>
    </div>
  )
}
