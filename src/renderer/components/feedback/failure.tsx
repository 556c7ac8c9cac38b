import { Button } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { asApiError, describeError } from '../../lib/server/api-error.ts'
import { CopyButton } from '../form/copy-button.tsx'
import { Notice } from './notice.tsx'

/** What failed, why, and what to do. `what` is a whole sentence: "Couldn't load the queue". */
export function Failure({ error, what, retry }: { error: unknown; what: string; retry?: () => void }) {
  const known = asApiError(error)
  const isOffline = known.code === 'NETWORK'
  return (
    <Notice
      tone={isOffline ? 'warn' : 'bad'}
      icon={isOffline ? IconPlugConnectedX : IconAlertTriangle}
      title={what}
      role="alert"
      actions={
        <>
          {retry !== undefined && (
            <Button size="sm" onClick={retry}>
              Try again
            </Button>
          )}
          <CopyButton size="sm" label="Copy details" text={describeError(known, what)} />
        </>
      }
    >
      <p>
        {known.message}{' '}
        {isOffline ? 'What you see may be out of date. It reloads when Skilldock is back.' : ''}
      </p>
    </Notice>
  )
}
