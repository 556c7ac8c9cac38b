import { Button, NativeSelect } from '@mantine/core'
import { IconLink, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/contracts/people.ts'
import type { Role } from '../../../../shared/contracts/people.ts'
import { Avatar } from '../../../components/avatar.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ShownOnce } from '../../../components/form/shown-once.tsx'
import { plural } from '../../../lib/format.ts'
import { formatClock, formatFullDate } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useCreateSignInLink, useUpdatePerson } from '../people.api.ts'
import { providerOf } from '../provider-name.ts'
import classes from './person-head.module.css'
import { RemovePerson } from './remove-person.tsx'

/** Who it is, what they may, and the ways to let them in or out. */
export function PersonHead({ person, me }: { person: PersonListRow; me: DeskPerson }) {
  const update = useUpdatePerson(person.id)
  const link = useCreateSignInLink(person.id)
  const [removing, setRemoving] = useState(false)
  const name = publisherName(person)
  const external = providerOf(person.issuer)
  const gone = person.removedAt !== null
  const setRole = (role: Role): void => {
    update.mutate(
      { role },
      { onSuccess: () => showToast({ kind: 'done', subject: name, text: `is ${article(role)} now.` }) },
    )
  }
  return (
    <>
      <header className={classes['head']}>
        <Avatar name={name} size={40} />
        <div className={classes['who']}>
          <h2>{name}</h2>
          <p>
            {[external, person.subject].filter(Boolean).join(', ')}, number {person.id},{' '}
            {plural(person.releases, 'release')}, added {formatFullDate(person.createdAt)}
            {person.removedAt === null ? '' : `, access ended ${formatFullDate(person.removedAt)}`}
          </p>
        </div>
        {!gone && (
          <div className={classes['actions']}>
            <Button
              loading={link.isPending}
              leftSection={<IconLink size={16} stroke={1.75} />}
              onClick={() => link.mutate(undefined)}
            >
              Sign-in link…
            </Button>
            <Button
              color="red"
              leftSection={<IconUserMinus size={16} stroke={1.75} />}
              onClick={() => setRemoving(true)}
            >
              Remove…
            </Button>
            <div className={classes['role']}>
              <span aria-hidden>Role</span>
              <NativeSelect
                aria-label="Role"
                value={person.role}
                disabled={update.isPending}
                data={[
                  { value: 'developer', label: 'Developer' },
                  { value: 'administrator', label: 'Administrator' },
                ]}
                onChange={(event) => setRole(event.currentTarget.value as Role)}
              />
            </div>
          </div>
        )}
      </header>
      {update.error !== null && <Failure error={update.error} what="The role stays as it was" />}
      {link.error !== null && <Failure error={link.error} what="The link could not be made" />}
      {link.data !== undefined && (
        <ShownOnce
          kind="link"
          title={`This link signs ${person.id === me.id ? 'you' : name} in. It is not shown again.`}
          text={link.data.url}
          onDone={() => link.reset()}
        >
          <p>
            It works once, until {formatClock(new Date(link.data.expiresAt))}, in a browser on this computer.
            Whoever opens it acts as {name}.
          </p>
        </ShownOnce>
      )}
      {removing && <RemovePerson person={person} me={me} onClose={() => setRemoving(false)} />}
    </>
  )
}

function article(role: Role): string {
  return role === 'administrator' ? 'an administrator' : 'a developer'
}
