import { ProgressBar } from '../../../components/feedback/progress-bar.tsx'
import { formatSize } from '../../../lib/format.ts'
import type { UploadProgress } from '../../../lib/upload/upload.ts'
import classes from './file-pick.module.css'

/** How much of a release is sent. */
export function SubmissionProgress({ progress: { sent, total } }: { progress: UploadProgress }) {
  const percent = total === 0 ? 0 : Math.floor((sent / total) * 100)
  return (
    <div className={classes['progress']}>
      <ProgressBar label="The release is being sent" done={percent / 100} />
      <p>
        {sent >= total && total > 0
          ? `${formatSize(total)} sent, being checked`
          : `${formatSize(sent)} of ${formatSize(total)}, ${percent} %`}
      </p>
    </div>
  )
}
