import { Button } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/contracts/people.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { useRemovePerson } from '../people.api.ts'
import classes from './remove-person.module.css'

interface Props {
  person: PersonListRow
  me: DeskPerson
  onClose: () => void
}

/** Says what removing does, then does it. */
export function RemovePerson({ person, me, onClose }: Props) {
  const remove = useRemovePerson(person.id)
  const focus = useFocus<HTMLButtonElement>()
  useActions([
    {
      id: 'close-form',
      label: 'close',
      group: 'Anywhere',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onClose,
    },
  ])
  const name = publisherName(person)
  return (
    <div className={classes['box']}>
      <Notice
        tone="bad"
        icon={IconUserMinus}
        title={`Remove ${name}`}
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
                    showToast({ kind: 'done', subject: name, text: 'has no access any more.' })
                    onClose()
                  },
                })
              }
            >
              Remove
            </Button>
            <Button size="sm" onClick={onClose}>
              Keep
            </Button>
          </>
        }
      >
        <p>
          Tokens and sessions end at once{person.id === me.id ? ', yours included: you are signed out' : ''}.{' '}
          {person.releases === 0
            ? 'There are no releases of theirs.'
            : `${plural(person.releases, 'release')} and their names stay as they are.`}{' '}
          Decisions keep the name.
        </p>
        {remove.error !== null && <Failure error={remove.error} what="Nobody was removed" />}
      </Notice>
    </div>
  )
}
