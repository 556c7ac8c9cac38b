import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useActions } from '../../lib/keys/actions.ts'
import { asApiError, issueOf } from '../../lib/server/api-error.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { Failure } from '../feedback/failure.tsx'
import classes from './new-token.module.css'

export interface TokenRequest {
  label: string
  scope: 'publish' | 'admin' | null
  days: number
}

interface Props {
  /** Offers the scope `admin`, for people who may do more than publish. */
  offersAdmin: boolean
  sending: boolean
  error: unknown
  onCreate: (request: TokenRequest) => void
  onCancel: () => void
}

/** The form for a new token: name, scope and validity. */
export function NewToken({ offersAdmin, sending, error, onCreate, onCancel }: Props) {
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<'publish' | 'admin' | 'everything'>('publish')
  const [days, setDays] = useState('90')
  const known = error === null ? null : asApiError(error)
  const count = Number(days)
  const daysProblem =
    /^\d{1,4}$/.test(days) && count >= 1 && count <= 3650 ? null : 'Enter a whole number from 1 to 3,650.'
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
  const ready = label.trim() !== '' && daysProblem === null && !sending
  return (
    <form
      className={classes['form']}
      aria-label="New token"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready)
          onCreate({ label: label.trim(), scope: scope === 'everything' ? null : scope, days: count })
      }}
    >
      <TextInput
        ref={focus}
        label="Token name"
        placeholder="laptop"
        maxLength={100}
        value={label}
        error={issueOf(known, 'label')}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <NativeSelect
        label="Scope"
        value={scope}
        onChange={(event) => setScope(event.currentTarget.value as typeof scope)}
        data={[
          { value: 'publish', label: 'publish' },
          ...(offersAdmin ? [{ value: 'admin', label: 'admin: same as full access' }] : []),
          { value: 'everything', label: 'full access' },
        ]}
      />
      <TextInput
        label="Valid for (days)"
        className={classes['days'] ?? ''}
        inputMode="numeric"
        value={days}
        error={daysProblem ?? issueOf(known, 'days')}
        onChange={(event) => setDays(event.currentTarget.value.trim())}
      />
      <div className={classes['actions']}>
        <Button type="submit" variant="filled" disabled={!ready} loading={sending}>
          Create token
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
      {known !== null && known.issues.length === 0 && (
        <div className={classes['failure']}>
          <Failure error={known} what="Couldn't create the token" />
        </div>
      )}
    </form>
  )
}
