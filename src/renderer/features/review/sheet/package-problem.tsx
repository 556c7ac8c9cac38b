import { IconPackageOff } from '@tabler/icons-react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { texts } from '../review.texts.ts'
import classes from './package-problem.module.css'

/** What is wrong with the stored package, and what to do about it. */
export function PackageProblem({ state }: { state: Exclude<DeskRelease['package'], 'intact'> }) {
  const { title, text } = texts.release.packageProblem[state]
  return (
    <div className={classes['problem']}>
      <Notice tone="bad" icon={IconPackageOff} title={title} role="alert">
        <p>{text}</p>
      </Notice>
    </div>
  )
}
