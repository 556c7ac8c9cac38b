import { NativeSelect } from '@mantine/core'
import { IconLink, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { roles } from '../../../../shared/contracts/people.ts'
import type { Role } from '../../../../shared/contracts/people.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Avatar } from '../../../components/avatar.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ShownOnce } from '../../../components/form/shown-once.tsx'
import { upperFirst } from '../../../lib/format.ts'
import { formatClock, formatFullDate } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useCreateSignInLink, useUpdatePerson } from '../people.api.ts'
import { providerOf } from '../provider-name.ts'
import { texts } from '../people.texts.ts'
import classes from './person-head.module.css'
import { RemovePerson } from './remove-person.tsx'

const { facts } = texts.person

/** Name, account and role, with the buttons to create a sign-in link and to remove the person. */
export function PersonHead({ person, me }: { person: PersonListRow; me: DeskPerson }) {
  const update = useUpdatePerson(person.id)
  const link = useCreateSignInLink(person.id)
  const [removing, setRemoving] = useState(false)
  const name = publisherName(person)
  const external = providerOf(person.issuer)
  const removed = person.removedAt !== null
  const setRole = (role: Role): void => {
    update.mutate(
      { role },
      { onSuccess: () => showToast({ kind: 'done', subject: name, text: texts.person.roleChanged(role) }) },
    )
  }
  return (
    <>
      <header className={classes['head']}>
        <Avatar name={name} size={40} />
        <div className={classes['who']}>
          <h2>{name}</h2>
          <p data-text="note">
            {[
              external,
              person.subject,
              facts.id(person.id),
              facts.releases(person.releases),
              facts.added(formatFullDate(person.createdAt)),
              person.removedAt === null ? '' : facts.accessEnded(formatFullDate(person.removedAt)),
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
          {!removed && <p data-text="note">{texts.person.roleMeans[person.role]}</p>}
        </div>
        {!removed && (
          <div data-actions>
            <ActionButton loading={link.isPending} icon={IconLink} onClick={() => link.mutate(undefined)}>
              {texts.person.signInLink}
            </ActionButton>
            <ActionButton color="red" icon={IconUserMinus} onClick={() => setRemoving(true)}>
              {texts.person.remove}
            </ActionButton>
            <div className={classes['role']}>
              <span aria-hidden>{texts.person.role}</span>
              <NativeSelect
                aria-label={texts.person.role}
                value={person.role}
                disabled={update.isPending}
                data={roles.map((role) => ({ value: role, label: upperFirst(role) }))}
                onChange={(event) => setRole(event.currentTarget.value as Role)}
              />
            </div>
          </div>
        )}
      </header>
      {update.error !== null && <Failure error={update.error} what={texts.person.roleFailed} />}
      {link.error !== null && <Failure error={link.error} what={texts.link.failed} />}
      {link.data !== undefined && (
        <ShownOnce
          kind="link"
          title={person.id === me.id ? texts.link.own : texts.link.title(name)}
          text={link.data.url}
          onDone={() => link.reset()}
        >
          <p>{texts.link.hint(formatClock(new Date(link.data.expiresAt)), name)}</p>
        </ShownOnce>
      )}
      {removing && <RemovePerson person={person} me={me} onClose={() => setRemoving(false)} />}
    </>
  )
}
