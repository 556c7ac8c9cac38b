import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useActions } from '../../lib/keys/actions.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { asApiError, issueOf } from '../../lib/server/api-error.ts'
import { Failure } from '../feedback/failure.tsx'
import classes from './new-access.module.css'

interface Props {
  texts: { form: string; name: string; example: string; create: string; cancel: string; failed: string }
  /** Fields after the name. */
  children?: ReactNode
  /** Whether those are valid. */
  isValid?: boolean
  sending: boolean
  error: unknown
  onCreate: (label: string) => void
  onCancel: () => void
}

/** The form for a new token or passkey, which Escape closes. */
export function NewAccess({ texts, children, isValid = true, sending, error, onCreate, onCancel }: Props) {
  const [label, setLabel] = useState('')
  const focus = useFocus<HTMLInputElement>()
  useActions([
    {
      id: 'close-form',
      label: 'close the form',
      group: 'Anywhere',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onCancel,
    },
  ])
  const known = error === null ? null : asApiError(error)
  const ready = label.trim() !== '' && isValid && !sending
  return (
    <form
      className={classes['form']}
      aria-label={texts.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) onCreate(label.trim())
      }}
    >
      <TextInput
        ref={focus}
        label={texts.name}
        placeholder={texts.example}
        maxLength={100}
        value={label}
        error={issueOf(known, 'label')}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {children}
      <div className={classes['actions']}>
        <Button type="submit" variant="filled" disabled={!ready} loading={sending}>
          {texts.create}
        </Button>
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
      {known !== null && known.issues.length === 0 && (
        <div className={classes['failure']}>
          <Failure error={error} what={texts.failed} />
        </div>
      )}
    </form>
  )
}
