import { Button } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { asApiError, describeError } from '../../lib/server/api-error.ts'
import { CopyButton } from '../form/copy-button.tsx'
import { Notice } from './notice.tsx'

/** What failed, why, and what to do. `what` is a whole sentence: "The queue cannot be read". */
export function Failure({ error, what, retry }: { error: unknown; what: string; retry?: () => void }) {
  const known = asApiError(error)
  const away = known.code === 'NETWORK'
  return (
    <Notice
      tone={away ? 'warn' : 'bad'}
      icon={away ? IconPlugConnectedX : IconAlertTriangle}
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
        {known.message} {away ? 'What you see stays as it was; it is read again when Skilldock answers.' : ''}
      </p>
    </Notice>
  )
}
