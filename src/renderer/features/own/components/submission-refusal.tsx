import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import type { ErrorCode } from '../../../../shared/errors.ts'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { describeError } from '../../../lib/server/api-error.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { texts } from '../own.texts.ts'
import { ProblemList } from './problem-list.tsx'

/** The manifest field to change after a refusal that lists no fields. */
const fieldOf: Partial<Record<ErrorCode, string>> = { NAME_TAKEN: 'name', VERSION_EXISTS: 'version' }

const { other: otherTitle, ...titlesByCode } = texts.submission.refused
const titles: Partial<Record<ErrorCode, string>> = titlesByCode

/** Why the server refused a release. The files stay selected. */
export function SubmissionRefusal({ refusal }: { refusal: ApiError }) {
  const isUnreachable = refusal.code === 'NETWORK'
  const code = refusal.code as ErrorCode
  const title = titles[code] ?? otherTitle
  const field = fieldOf[code]
  return (
    <Notice
      tone={isUnreachable ? 'warn' : 'bad'}
      icon={isUnreachable ? IconPlugConnectedX : IconAlertTriangle}
      title={title}
      role="alert"
      actions={
        <CopyButton size="sm" label={texts.submission.copyDetails} text={describeError(refusal, title)} />
      }
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
          {texts.submission.changeField[0]} <code>{field}</code> {texts.submission.changeField[1]}
        </p>
      )}
      <p>{texts.submission.filesKept}</p>
    </Notice>
  )
}

/** When the quota allows another submission. */
function Until({ at, seconds }: { at: Date; seconds: number }) {
  return (
    <>
      {' '}
      {texts.submission.retryAfter} <When at={new Date(at.getTime() + seconds * 1000).toISOString()} />.
    </>
  )
}
