import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { listWords } from '../../../lib/format.ts'

const verbs: Record<CapabilityKey, string> = {
  stdin: 'read standard input',
  stdout: 'write standard output',
  read: 'read files',
  write: 'write files',
  arguments: 'read its arguments',
  environment: 'read the environment',
  clock: 'read the clock',
  wait: 'wait for time or input',
  random: 'get random numbers',
  sockets: 'use sockets that it is given',
  exit: 'end itself',
  streams: 'handle what it has open',
  unknown: 'call functions that this desk does not know',
}

/** `It can now read files and use sockets that it is given.`; empty where it did not grow. */
export function newCapabilitiesSentence({ capabilities }: Pick<Growth, 'capabilities'>): string {
  if (capabilities.length === 0) return ''
  return `It can now ${listWords(capabilities.map((key) => verbs[key]))}.`
}

/** The same for the same growth: what was ticked as seen is this and nothing else. */
export function newCapabilitiesKey({ base, capabilities, functions }: Growth): string {
  return JSON.stringify([base?.id ?? null, capabilities.toSorted(), functions.toSorted()])
}
