import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { maxPersonNameCharacters, roles } from '../../../../shared/contracts/people.ts'
import type { Role } from '../../../../shared/contracts/people.ts'
import { ActionForm, useEscape } from '../../../components/form/action-form.tsx'
import { asApiError, issueOf } from '../../../lib/server/api-error.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { signInNameOf } from '../../../lib/sign-in-name.ts'
import { useAddPerson } from '../people.api.ts'
import { texts } from '../people.texts.ts'
import classes from './add-person.module.css'

const { add: form } = texts

/** Adds a person with a local account. People of an identity provider are added when they first sign in. */
export function AddPerson({ onCancel, onAdded }: { onCancel: () => void; onAdded: (id: number) => void }) {
  const add = useAddPerson()
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [role, setRole] = useState<Role>('developer')
  const subject = typed ?? signInNameOf(name)
  const error = add.error === null ? null : asApiError(add.error)
  const taken = error?.code === 'PERSON_EXISTS' ? error.message : null
  const focus = useFocus<HTMLInputElement>()
  useEscape(form.close, onCancel)
  return (
    <ActionForm
      className={classes['form']}
      label={form.title}
      submit={form.submit}
      onCancel={onCancel}
      isReady={subject.trim() !== ''}
      change={{ isPending: add.isPending, error: taken === null ? error : null }}
      failed={form.failed}
      fields={['name', 'subject']}
      more={<p>{form.hint}</p>}
      onSubmit={() =>
        add.mutate(
          { subject: subject.trim(), name: name.trim() === '' ? undefined : name.trim(), role },
          { onSuccess: (person) => onAdded(person.id) },
        )
      }
    >
      <TextInput
        ref={focus}
        label={form.name}
        value={name}
        maxLength={maxPersonNameCharacters}
        error={issueOf(error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={form.subject}
        value={subject}
        maxLength={200}
        spellCheck={false}
        error={taken ?? issueOf(error, 'subject')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NativeSelect
        label={form.role}
        value={role}
        description={texts.person.roleMeans[role]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={roles}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
    </ActionForm>
  )
}
