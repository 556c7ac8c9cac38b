import { IconArrowUpRight } from '@tabler/icons-react'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { newCapabilitiesSentence } from './new-capabilities.ts'
import { jumpTo } from '../sheet/sections.ts'
import { texts } from '../review.texts.ts'
import classes from './new-capabilities-line.module.css'

/** The new capabilities of a release, above everything else in a single column. */
export function NewCapabilitiesLine({ growth }: { growth: Growth }) {
  return (
    <p className={classes['line']}>
      <IconArrowUpRight size={16} stroke={1.75} aria-hidden />
      <span>
        <b>{newCapabilitiesSentence(growth)}</b> {texts.newCapabilities.newSince(growth.base?.version)}
      </span>
      <TextButton inline onClick={() => jumpTo('can-do')}>
        {texts.newCapabilities.show}
      </TextButton>
    </p>
  )
}
