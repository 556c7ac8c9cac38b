import type { FolderState } from './contracts/desk-session.ts'

/** Why a folder cannot be used as the data folder, and what to do; null if it can. */
export function folderProblem({ state, found, reason }: FolderState): string | null {
  const code = reason === null ? '' : ` (${reason})`
  switch (state) {
    case 'no folder':
      return `This folder cannot be opened${code}. Choose another one.`
    case 'not writable':
      return `Skilldock cannot write to this folder${code}. Choose another one, or give your account write access.`
    case 'other':
      return `This folder contains other files (${found.join(', ')}). Choose an empty folder.`
    case 'in use':
      return 'Another Skilldock is using this folder. Stop it first, or choose another folder.'
    case 'too little space':
      return 'Less than 256 MB of disk space is free. Free up space, or choose a folder on another disk.'
    default:
      return null
  }
}
