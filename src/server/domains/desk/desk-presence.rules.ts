import type { DeskPresence } from '../../../shared/contracts/desk-decisions.ts'

/** What one person has open at one desk. */
export interface OpenRelease {
  personId: number
  name: string
  release: number
}

/** What everybody but this person has open, each release of a person once. */
export function presenceFor(personId: number, open: readonly OpenRelease[]): DeskPresence {
  const others = new Map<string, OpenRelease>()
  for (const one of open) {
    if (one.personId !== personId) others.set(`${one.personId} ${one.release}`, one)
  }
  return { open: [...others.values()] }
}
