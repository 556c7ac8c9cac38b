import { Bones } from '../../../components/feedback/bones.tsx'
import { isUnreadable, useAgentProject } from '../agent-live.ts'
import { ReadFailure } from '../project/read-failure.tsx'

interface Props {
  /** What is read: `the trust records`. */
  what: string
  read: {
    error: unknown
    /** Whether nothing has been read yet. */
    isPending: boolean
    refetch: () => unknown
  }
  /** How many rows the skeleton has, and how high they are. */
  rows: number
  height?: number
}

/** Why a view shows nothing (yet). What the notice above all views says is not said again. */
export function ReadState({ what, read, rows, height = 32 }: Props) {
  const { data: project } = useAgentProject()
  const { error, isPending, refetch } = read
  if (error !== null) {
    const sentence = `${what.slice(0, 1).toUpperCase()}${what.slice(1)} cannot be read`
    return <ReadFailure error={error} what={sentence} retry={() => void refetch()} />
  }
  return isPending && !isUnreadable(project) ? <Bones rows={rows} height={height} what={what} /> : null
}
