import type { DeskPresence, DeskWriting } from '../../../shared/contracts/desk-decisions.ts'

/** A release that is open in one desk. */
interface OpenRelease {
  personId: number
  name: string
  release: number
}

/** A post that is open in the editor of one desk. */
interface OpenPost {
  personId: number
  name: string
  post: number
  writtenAt: string
}

/** The posts that are being edited in other desks, including those of the same person. */
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

/** The releases that other people have open. A release is listed once per person. */
export function presenceFor(personId: number, open: readonly OpenRelease[]): DeskPresence {
  const others = new Map<string, OpenRelease>()
  for (const one of open) {
    if (one.personId !== personId) others.set(`${one.personId} ${one.release}`, one)
  }
  return { open: [...others.values()] }
}
