import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Role } from '../../../../shared/contracts/people.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError, issueOf } from '../../../lib/server/api-error.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { subjectOf } from '../../../lib/subject.ts'
import { useAddPerson } from '../people.api.ts'
import classes from './add-person.module.css'

/** A person of this registry itself; people of a provider add themselves by signing in. */
export function AddPerson({ onCancel, onAdded }: { onCancel: () => void; onAdded: (id: number) => void }) {
  const add = useAddPerson()
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [role, setRole] = useState<Role>('developer')
  const subject = typed ?? subjectOf(name)
  const error = add.error === null ? null : asApiError(add.error)
  const taken = error?.code === 'PERSON_EXISTS' ? error.message : null
  const focus = useFocus<HTMLInputElement>()
  useActions([
    {
      id: 'close-form',
      label: 'close',
      group: 'Anywhere',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onCancel,
    },
  ])
  const ready = subject.trim() !== '' && !add.isPending
  return (
    <form
      className={classes['form']}
      aria-label="Add person"
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready) return
        add.mutate(
          { subject: subject.trim(), name: name.trim() === '' ? undefined : name.trim(), role },
          { onSuccess: (person) => onAdded(person.id) },
        )
      }}
    >
      <TextInput
        ref={focus}
        label="Name"
        value={name}
        maxLength={100}
        error={issueOf(error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Sign-in name"
        value={subject}
        maxLength={200}
        spellCheck={false}
        error={taken ?? issueOf(error, 'subject')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NativeSelect
        label="Role"
        value={role}
        data={['developer', 'administrator']}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <div className={classes['actions']}>
        <Button type="submit" variant="filled" disabled={!ready} loading={add.isPending}>
          Add
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <p>Then make a sign-in link or a token for them.</p>
      </div>
      {error !== null && taken === null && error.issues.length === 0 && (
        <Failure error={error} what="The person could not be added" />
      )}
    </form>
  )
}
