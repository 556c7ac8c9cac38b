import { Button } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useEscape } from '../../../components/form/action-form.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
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
  const focus = useFocus<HTMLButtonElement>()
  useEscape(removal.close, onClose)
  const name = publisherName(person)
  return (
    <div className={classes['box']}>
      <Notice
        tone="bad"
        icon={IconUserMinus}
        title={removal.title(name)}
        actions={
          <>
            <Button
              size="sm"
              variant="filled"
              color="red"
              ref={focus}
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, {
                  onSuccess: () => {
                    showToast({ kind: 'done', subject: name, text: removal.done })
                    onClose()
                  },
                })
              }
            >
              {removal.confirm}
            </Button>
            <Button size="sm" onClick={onClose}>
              {removal.cancel}
            </Button>
          </>
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
