import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Comparison } from './base.ts'
import { jumpTo } from '../sheet/sections.ts'
import { ChangesAgainst } from './changes-against.tsx'
import { ChangesFields } from './changes-fields.tsx'
import { ChangesModule } from './changes-module.tsx'
import classes from './changes.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: DeskRelease
  comparison: Comparison
}

/** What a release says and declares differently from another version; against none, all of it is new. */
export function Changes({ release, comparison }: Props) {
  const { base, baseId, changes, error, retry } = comparison
  const [whole, setWhole] = useState(false)
  const show = (): void => {
    setWhole(true)
    jumpTo('changes')
  }
  useActions([{ id: 'diff', label: 'the whole diff', group: 'Look', keys: ['d'], run: show }])
  return (
    <Section
      id="changes"
      title="What changed"
      beside={<ChangesAgainst release={release} comparison={comparison} />}
      note={
        <Button
          variant="transparent"
          size="sm"
          aria-expanded={whole}
          onClick={() => (whole ? setWhole(false) : show())}
          rightSection={<Keycap keys="d" quiet />}
          className={classes['whole'] ?? ''}
        >
          {whole ? 'Shorter diff' : 'Whole diff'}
        </Button>
      }
    >
      {changes !== null ? (
        <>
          <ChangesFields diff={changes.manifest} memory={changes.module?.memory ?? null} whole={whole} />
          <ChangesModule diff={changes.module} base={base} release={release} whole={whole} />
        </>
      ) : error !== null && baseId !== null ? (
        <div className={classes['failure']}>
          <Failure error={error} what="The version to compare with cannot be read" retry={retry} />
        </div>
      ) : (
        <div className={classes['reading']}>
          <Bones rows={12} what="the version to compare with" />
        </div>
      )}
    </Section>
  )
}
