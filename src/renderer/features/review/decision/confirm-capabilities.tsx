import { Checkbox } from '@mantine/core'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { decisionKeys } from '../../../components/decision/decision-keys.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { newCapabilitiesSentence } from '../changes/new-capabilities.ts'
import { useConfirmedCapabilities } from './confirmed-capabilities.ts'
import { texts } from '../review.texts.ts'
import classes from './confirm-capabilities.module.css'

interface Props {
  release: DeskRelease
  /** For elements described by this one, such as the disabled Approve button. */
  id: string
}

/** The checkbox that confirms new capabilities, required before an approval. Renders nothing without new capabilities. */
export function ConfirmCapabilities({ release, id }: Props) {
  const { growth, canApprove, setConfirmed } = useConfirmedCapabilities(release)
  useActions(
    growth === null
      ? []
      : [
          {
            id: 'confirm-capabilities',
            label: canApprove ? texts.newCapabilities.unconfirmCommand : texts.newCapabilities.confirmCommand,
            group: 'Decide',
            keys: [decisionKeys.confirmCapabilities],
            run: () => setConfirmed(!canApprove),
          },
        ],
  )
  if (growth === null) return null
  return (
    <div id={id} className={classes['confirm']} data-confirmed={canApprove || undefined}>
      <Checkbox
        color="red"
        checked={canApprove}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
        label={
          <>
            <b>{newCapabilitiesSentence(growth)}</b> {texts.newCapabilities.confirm}
          </>
        }
      />
      <Keycap keys={decisionKeys.confirmCapabilities} quiet />
    </div>
  )
}
