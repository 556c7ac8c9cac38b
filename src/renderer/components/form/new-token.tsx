import { NativeSelect, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { maxTokenDays } from '../../../shared/contracts/desk-people.ts'
import type { IssuedToken, NewToken as TokenRequest } from '../../../shared/contracts/desk-people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { issueOf } from '../../lib/server/api-error.ts'
import { NewAccess } from './new-access.tsx'
import { ShownOnce } from './shown-once.tsx'
import classes from './new-access.module.css'

type Issue = UseMutationResult<IssuedToken, Error, TokenRequest>

interface Props {
  issue: Issue
  /** Of the person whose token it is. Those who may do more than publish can choose the scope `admin`. */
  role: Role
  isOpen: boolean
  onClose: () => void
}

/** The form for a new token, and the token that it has created. */
export function NewToken({ issue, role, isOpen, onClose }: Props) {
  return (
    <>
      {issue.data !== undefined && (
        <ShownOnce
          kind="token"
          title={`Token “${issue.data.access.label}” created. Copy it now; it won't be shown again.`}
          text={issue.data.token}
          onDone={() => issue.reset()}
        />
      )}
      {isOpen && <TokenForm issue={issue} offersAdmin={role !== 'developer'} onClose={onClose} />}
    </>
  )
}

const texts = {
  form: 'New token',
  name: 'Token name',
  example: 'laptop',
  create: 'Create token',
  failed: "Couldn't create the token",
}

interface FormProps {
  issue: Issue
  offersAdmin: boolean
  onClose: () => void
}

/** Name, scope and validity. */
function TokenForm({ issue, offersAdmin, onClose }: FormProps) {
  const [scope, setScope] = useState<'publish' | 'admin' | 'everything'>('publish')
  const [days, setDays] = useState('90')
  const count = Number(days)
  const daysProblem =
    /^\d{1,4}$/.test(days) && count >= 1 && count <= maxTokenDays
      ? null
      : `Enter a whole number from 1 to ${formatCount(maxTokenDays)}.`
  return (
    <NewAccess
      change={issue}
      onCancel={onClose}
      texts={texts}
      fields={['days']}
      isValid={daysProblem === null}
      onCreate={(label) =>
        issue.mutate(
          { label, scope: scope === 'everything' ? null : scope, days: count },
          { onSuccess: onClose },
        )
      }
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
        error={daysProblem ?? issueOf(issue.error, 'days')}
        onChange={(event) => setDays(event.currentTarget.value.trim())}
      />
    </NewAccess>
  )
}
