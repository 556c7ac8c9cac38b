import { Checkbox } from '@mantine/core'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { growthSentence } from '../changes/growth.ts'
import { useGrowthSeen } from './growth-seen.ts'
import classes from './growth-tick.module.css'

interface Props {
  release: DeskRelease
  /** For what refers to the line, as a button that waits for the tick. */
  id?: string
}

/** The red line that is ticked before a release that can do more than before is approved; nothing without growth. */
export function GrowthTick({ release, id }: Props) {
  const { growth, settled, setSeen } = useGrowthSeen(release)
  useActions(
    growth === null
      ? []
      : [
          {
            id: 'growth-seen',
            label: settled ? 'take the tick from the red line' : 'tick the red line',
            group: 'Decide',
            keys: ['t'],
            run: () => setSeen(!settled),
          },
        ],
  )
  if (growth === null) return null
  return (
    <div id={id} className={classes['tick']} data-seen={settled || undefined}>
      <Checkbox
        color="red"
        checked={settled}
        onChange={(event) => setSeen(event.currentTarget.checked)}
        label={
          <>
            <b>{growthSentence(growth)}</b> I have seen this and it fits what the skill says it does.
          </>
        }
      />
      <Keycap keys="t" quiet />
    </div>
  )
}
