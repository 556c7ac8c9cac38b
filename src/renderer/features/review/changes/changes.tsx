import { useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Comparison } from './comparison.ts'
import { jumpTo } from '../sheet/sections.ts'
import { ChangesAgainst } from './changes-against.tsx'
import { ChangesFields } from './changes-fields.tsx'
import { ChangesModule } from './changes-module.tsx'
import { texts } from '../review.texts.ts'
import classes from './changes.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: DeskRelease
  comparison: Comparison
}

/** The differences in manifest and module between a release and another version. */
export function Changes({ release, comparison }: Props) {
  const { base, baseId, changes, error, retry } = comparison
  const [full, setFull] = useState(false)
  const show = (): void => {
    setFull(true)
    jumpTo('changes')
  }
  useActions([{ id: 'diff', label: texts.changes.fullDiffCommand, group: 'Look', keys: ['d'], run: show }])
  return (
    <Section
      id="changes"
      title={texts.changes.title}
      beside={<ChangesAgainst release={release} comparison={comparison} />}
      note={
        <ActionButton
          variant="transparent"
          size="sm"
          aria-expanded={full}
          onClick={() => (full ? setFull(false) : show())}
          keys="d"
          className={classes['full'] ?? ''}
        >
          {full ? texts.changes.compactDiff : texts.changes.fullDiff}
        </ActionButton>
      }
    >
      {changes !== null ? (
        <>
          <ChangesFields diff={changes.manifest} memory={changes.module?.memory ?? null} full={full} />
          <ChangesModule diff={changes.module} base={base} release={release} full={full} />
        </>
      ) : error !== null && baseId !== null ? (
        <div className={classes['failure']}>
          <Failure error={error} what={texts.changes.loadBaseFailed} retry={retry} />
        </div>
      ) : (
        <div className={classes['reading']}>
          <Skeleton rows={12} what={texts.changes.base} />
        </div>
      )}
    </Section>
  )
}
