import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { issueOf } from '../../lib/server/api-error.ts'
import { NewAccess } from './new-access.tsx'
import classes from './new-access.module.css'

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

const texts = {
  form: 'New token',
  name: 'Token name',
  example: 'laptop',
  create: 'Create token',
  cancel: 'Cancel',
  failed: "Couldn't create the token",
}

/** The form for a new token: name, scope and validity. */
export function NewToken({ offersAdmin, onCreate, ...form }: Props) {
  const [scope, setScope] = useState<'publish' | 'admin' | 'everything'>('publish')
  const [days, setDays] = useState('90')
  const count = Number(days)
  const daysProblem =
    /^\d{1,4}$/.test(days) && count >= 1 && count <= 3650 ? null : 'Enter a whole number from 1 to 3,650.'
  return (
    <NewAccess
      {...form}
      texts={texts}
      fields={['days']}
      isValid={daysProblem === null}
      onCreate={(label) => onCreate({ label, scope: scope === 'everything' ? null : scope, days: count })}
    >
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
        error={daysProblem ?? issueOf(form.error, 'days')}
        onChange={(event) => setDays(event.currentTarget.value.trim())}
      />
    </NewAccess>
  )
}
