import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { texts } from '../review.texts.ts'

const verbs: Record<CapabilityKey, string> = texts.newCapabilities.verbs

/** `It can now read files and use sockets it is given.`; empty without new capabilities. */
export function newCapabilitiesSentence({ capabilities }: Pick<Growth, 'capabilities'>): string {
  if (capabilities.length === 0) return ''
  return texts.newCapabilities.sentence(capabilities.map((key) => verbs[key]))
}

/** Identifies exactly these new capabilities, so that a confirmation does not hold for any others. */
export function newCapabilitiesKey({ base, capabilities, functions }: Growth): string {
  return JSON.stringify([base?.id ?? null, capabilities.toSorted(), functions.toSorted()])
}
