import { Failure } from '../../../components/feedback/failure.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { isUnreadable, useAgentProject } from '../agent-live.ts'

/** Says that a view cannot be read, where the head of the area does not say it for all of them already. */
export function ReadFailure({ error, what, retry }: { error: unknown; what: string; retry: () => void }) {
  const { data: project } = useAgentProject()
  if (isUnreadable(project) && asApiError(error).code === 'AGENTS_UNAVAILABLE') return null
  return <Failure error={error} what={what} retry={retry} />
}
