import type { FolderState } from './contracts/desk-session.ts'

/** Why data cannot lie in a folder, and what to do; null where it can. */
export function folderProblem({ state, found, reason }: FolderState): string | null {
  const code = reason === null ? '' : ` (${reason})`
  switch (state) {
    case 'no folder':
      return `That is no folder that can be opened${code}. Choose another one.`
    case 'not writable':
      return `Skilldock cannot write there${code}. Choose another folder, or let your account write to it.`
    case 'other':
      return `It holds something else (${found.join(', ')}). Choose an empty folder.`
    case 'in use':
      return 'Another Skilldock is at work in that folder. Stop that one first, or choose another folder.'
    case 'too little space':
      return 'Less than 256 MB are free there. Make room, or choose a folder on another disk.'
    default:
      return null
  }
}
