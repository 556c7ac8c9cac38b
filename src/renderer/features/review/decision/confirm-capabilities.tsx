import { Checkbox } from '@mantine/core'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { newCapabilitiesSentence } from '../changes/new-capabilities.ts'
import { useConfirmedCapabilities } from './confirmed-capabilities.ts'
import classes from './confirm-capabilities.module.css'

interface Props {
  release: DeskRelease
  /** For what refers to the line, as a button that waits for the tick. */
  id?: string
}

/** The red line that is ticked before a release that can do more than before is approved; nothing without growth. */
export function ConfirmCapabilities({ release, id }: Props) {
  const { growth, settled, setSeen } = useConfirmedCapabilities(release)
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
            <b>{newCapabilitiesSentence(growth)}</b> I have seen this and it fits what the skill says it does.
          </>
        }
      />
      <Keycap keys="t" quiet />
    </div>
  )
}
