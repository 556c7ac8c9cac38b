import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../../../components/feedback/failure.tsx'
import classes from '../../../components/form/new-token.module.css'
import { useActions } from '../../../lib/keys/actions.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { texts } from '../own.texts.ts'

interface Props {
  sending: boolean
  error: unknown
  onCreate: (label: string) => void
  onCancel: () => void
}

/** The form for a new passkey. The browser then asks where to save it. */
export function NewPasskey({ sending, error, onCreate, onCancel }: Props) {
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
  const ready = label.trim() !== '' && !sending
  return (
    <form
      className={classes['form']}
      aria-label={texts.passkey.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) onCreate(label.trim())
      }}
    >
      <TextInput
        ref={focus}
        label={texts.passkey.name}
        placeholder={texts.passkey.example}
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <div className={classes['actions']}>
        <Button type="submit" variant="filled" disabled={!ready} loading={sending}>
          {texts.passkey.create}
        </Button>
        <Button onClick={onCancel}>{texts.passkey.cancel}</Button>
      </div>
      {error !== null && (
        <div className={classes['failure']}>
          <Failure error={error} what={texts.passkey.failed} />
        </div>
      )}
    </form>
  )
}
