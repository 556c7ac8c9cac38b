import { capabilityGrowth } from '../../../../shared/capabilities.ts'
import type { Capability, CapabilityKey } from '../../../../shared/capabilities.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'

/** A release with the functions that it imports; null where they were not kept when it was submitted. */
export interface GrowthBase {
  id: number
  version: string
  imports: readonly string[] | null
}

/**
 * What a module with these imports can do that the approved release before it could not. A base of which nothing
 * was kept counts as one that could do nothing: better seen twice than never.
 */
export function growthSince(base: GrowthBase | null, imports: readonly string[]): Growth {
  if (base === null) return { base: null, capabilities: [], functions: [] }
  const before = base.imports ?? []
  const known = new Set(before)
  return {
    base: { id: base.id, version: base.version },
    capabilities: capabilityGrowth(before, imports).map(({ key }) => key),
    functions: imports.filter((name) => !known.has(name)),
  }
}

/** The capabilities of a growth that are not among those that were seen. */
export function unseenGrowth(growth: Growth, seen: readonly CapabilityKey[]): CapabilityKey[] {
  return growth.capabilities.filter((key) => !seen.includes(key))
}

/** `reads files and gets random numbers`, of the capabilities with these keys. */
export function describeGrowth(
  base: GrowthBase,
  imports: readonly string[],
  keys: readonly CapabilityKey[],
): string {
  const words = capabilityGrowth(base.imports ?? [], imports)
    .filter(({ key }) => keys.includes(key))
    .map(inWords)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

function inWords({ key, label, functions }: Capability): string {
  if (key === 'unknown') return `calls functions that nobody knows here (${functions.join(', ')})`
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
