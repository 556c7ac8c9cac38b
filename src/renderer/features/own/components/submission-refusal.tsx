import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import type { ErrorCode } from '../../../../shared/errors.ts'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { describeError } from '../../../lib/server/api-error.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import classes from './file-pick.module.css'
import { ProblemList } from './problem-list.tsx'

/** The field of the manifest that a refusal is about which lists none. */
const fieldOf: Partial<Record<ErrorCode, string>> = { NAME_TAKEN: 'name', VERSION_EXISTS: 'version' }

const titles: Partial<Record<ErrorCode, string>> = {
  NAME_TAKEN: 'The name is taken',
  VERSION_EXISTS: 'This version is there already',
  QUOTA_EXCEEDED: 'The limit of today is reached',
  TOO_MANY_REQUESTS: 'Skilldock is busy',
  INVALID_MANIFEST: 'The manifest is not accepted',
  MANIFEST_TOO_LARGE: 'The manifest is too large',
  INVALID_PACKAGE: 'The module is not accepted',
  PACKAGE_TOO_LARGE: 'The module is too large',
}

/** Why the server did not take a release; what was picked is still there. */
export function SubmissionRefusal({ refusal }: { refusal: ApiError }) {
  const away = refusal.code === 'NETWORK'
  const code = refusal.code as ErrorCode
  const title = titles[code] ?? 'The release was not submitted'
  const field = fieldOf[code]
  return (
    <Notice
      tone={away ? 'warn' : 'bad'}
      icon={away ? IconPlugConnectedX : IconAlertTriangle}
      title={title}
      role="alert"
      actions={<CopyButton size="sm" label="Copy details" text={describeError(refusal, title)} />}
    >
      {refusal.issues.length === 0 ? (
        <p>
          <PlainText text={refusal.message} />
          {refusal.retryAfter !== null && code === 'QUOTA_EXCEEDED' && (
            <Until at={refusal.at} seconds={refusal.retryAfter} />
          )}
        </p>
      ) : (
        <ProblemList problems={refusal.issues} />
      )}
      {field !== undefined && (
        <p>
          Change <code>{field}</code> in the manifest and choose it again.
        </p>
      )}
      <p className={classes['nothing']}>What you picked is still here.</p>
    </Notice>
  )
}

/** The point in time in which a wait ends. */
function Until({ at, seconds }: { at: Date; seconds: number }) {
  return (
    <>
      {' '}
      That is at <When at={new Date(at.getTime() + seconds * 1000).toISOString()} />.
    </>
  )
}
