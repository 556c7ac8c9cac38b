import { IconArrowUpRight } from '@tabler/icons-react'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { growthSentence } from './growth.ts'
import { jumpTo } from '../sheet/sections.ts'
import classes from './growth-line.module.css'

/** What a release can do that the approved one before it could not, in front of everything else in one column. */
export function GrowthLine({ growth }: { growth: Growth }) {
  return (
    <p className={classes['line']}>
      <IconArrowUpRight size={16} stroke={1.75} aria-hidden />
      <span>
        <b>{growthSentence(growth)}</b> {growth.base?.version} could not.
      </span>
      <button type="button" onClick={() => jumpTo('can-do')}>
        What it can do
      </button>
    </p>
  )
}
