import type { ComponentProps } from 'react'
import { Bones } from '../../../components/feedback/bones.tsx'
import { isUnreadable, useAgentProject } from '../agent-live.ts'

/** A skeleton while a view is read, and nothing while the notice above all views says that it cannot be read. */
export function ReadBones(props: ComponentProps<typeof Bones>) {
  const { data: project } = useAgentProject()
  return isUnreadable(project) ? null : <Bones {...props} />
}
