import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { maxLabelCharacters } from '../../../shared/contracts/access-labels.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { issueOf } from '../../lib/server/api-error.ts'
import { ActionForm, useEscape } from './action-form.tsx'
import type { Change } from './action-form.tsx'
import classes from './new-access.module.css'

interface Props {
  texts: { form: string; name: string; example: string; create: string; failed: string }
  /** Fields after the name. */
  children?: ReactNode
  /** The paths of their problems. */
  fields?: readonly string[]
  /** Whether those are valid. */
  isValid?: boolean
  change: Change
  onCreate: (label: string) => void
  onCancel: () => void
}

/** The form for a new token or passkey, which Escape closes. */
export function NewAccess(props: Props) {
  const { texts, children, fields = [], isValid = true, change, onCreate, onCancel } = props
  const [label, setLabel] = useState('')
  const focus = useFocus<HTMLInputElement>()
  useEscape('close the form', onCancel)
  return (
    <ActionForm
      className={classes['form']}
      label={texts.form}
      submit={texts.create}
      onCancel={onCancel}
      isReady={label.trim() !== '' && isValid}
      change={change}
      failed={texts.failed}
      fields={['label', ...fields]}
      onSubmit={() => onCreate(label.trim())}
    >
      <TextInput
        ref={focus}
        label={texts.name}
        placeholder={texts.example}
        maxLength={maxLabelCharacters}
        value={label}
        error={issueOf(change.error, 'label')}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {children}
    </ActionForm>
  )
}
