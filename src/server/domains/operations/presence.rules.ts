import type { DeskPresence, DeskWriting } from '../../../shared/contracts/desk-decisions.ts'

/** What one person has open at one desk. */
export interface OpenRelease {
  personId: number
  name: string
  release: number
}

/** A post that is open in the editor of one desk. */
export interface OpenPost {
  personId: number
  name: string
  post: number
  writtenAt: string
}

/** Which posts the other desks are writing, those of the same person too. */
export function writingFor(personId: number, others: readonly OpenPost[]): DeskWriting {
  return {
    posts: others.map((one) => ({
      name: one.name,
      own: one.personId === personId,
      post: one.post,
      writtenAt: one.writtenAt,
    })),
  }
}

/** What everybody but this person has open, each release of a person once. */
export function presenceFor(personId: number, open: readonly OpenRelease[]): DeskPresence {
  const others = new Map<string, OpenRelease>()
  for (const one of open) {
    if (one.personId !== personId) others.set(`${one.personId} ${one.release}`, one)
  }
  return { open: [...others.values()] }
}
