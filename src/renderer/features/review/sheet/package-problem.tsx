import { IconPackageOff } from '@tabler/icons-react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import classes from './package-problem.module.css'

const troubles = {
  missing: [
    'The package is missing',
    'The file of this digest is not in the data folder. Put it back from a backup; it cannot be inspected or downloaded until then.',
  ],
  changed: [
    'The package is not the one that was submitted',
    'The stored file does not have the digest above any more. It is given to nobody. Put the right file back from a backup.',
  ],
  unavailable: [
    'The package cannot be read just now',
    'The folder of the packages does not answer. What the release says of itself can be read.',
  ],
} as const

/** What is wrong with the stored file, and what still holds. */
export function PackageProblem({ state }: { state: Exclude<DeskRelease['package'], 'intact'> }) {
  const [title, sentence] = troubles[state]
  return (
    <div className={classes['trouble']}>
      <Notice tone="bad" icon={IconPackageOff} title={title} role="alert">
        <p>{sentence}</p>
      </Notice>
    </div>
  )
}
