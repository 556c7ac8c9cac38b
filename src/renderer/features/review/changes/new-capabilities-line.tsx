import { IconArrowUpRight } from '@tabler/icons-react'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { newCapabilitiesSentence } from './new-capabilities.ts'
import { jumpTo } from '../sheet/sections.ts'
import classes from './new-capabilities-line.module.css'

/** What a release can do that the approved one before it could not, in front of everything else in one column. */
export function NewCapabilitiesLine({ growth }: { growth: Growth }) {
  return (
    <p className={classes['line']}>
      <IconArrowUpRight size={16} stroke={1.75} aria-hidden />
      <span>
        <b>{newCapabilitiesSentence(growth)}</b> {growth.base?.version} could not.
      </span>
      <button type="button" onClick={() => jumpTo('can-do')}>
        What it can do
      </button>
    </p>
  )
}
