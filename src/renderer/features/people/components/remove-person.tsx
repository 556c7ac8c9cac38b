import { IconUserMinus } from '@tabler/icons-react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { ConfirmButtons } from '../../../components/form/confirm-buttons.tsx'
import { useEscape } from '../../../components/form/action-form.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { useRemovePerson } from '../people.api.ts'
import { texts } from '../people.texts.ts'
import classes from './remove-person.module.css'

const { removal } = texts

interface Props {
  person: PersonListRow
  me: DeskPerson
  onClose: () => void
}

/** Confirms the removal of a person and says what it does. */
export function RemovePerson({ person, me, onClose }: Props) {
  const remove = useRemovePerson(person.id)
  useEscape(removal.close, onClose)
  const name = publisherName(person)
  return (
    <div className={classes['box']}>
      <Notice
        tone="bad"
        icon={IconUserMinus}
        title={removal.title(name)}
        actions={
          <ConfirmButtons
            size="sm"
            confirm={removal.confirm}
            sending={remove.isPending}
            onConfirm={() =>
              remove.mutate(undefined, {
                onSuccess: () => {
                  showToast({ kind: 'done', subject: name, text: removal.done })
                  onClose()
                },
              })
            }
            onCancel={onClose}
          />
        }
      >
        <p>
          {person.id === me.id ? removal.ownAccess : removal.access} {removal.releases(person.releases)}{' '}
          {removal.decisions}
        </p>
        {remove.error !== null && <Failure error={remove.error} what={removal.failed} />}
      </Notice>
    </div>
  )
}
