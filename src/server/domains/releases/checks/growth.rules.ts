import { newCapabilities } from '../../../../shared/capabilities.ts'
import type { Capability, CapabilityKey } from '../../../../shared/capabilities.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { texts } from '../releases.texts.ts'

/** A release with its imported functions; null if they were not recorded when it was submitted. */
interface GrowthBase {
  id: number
  version: string
  imports: readonly string[] | null
}

/**
 * The new capabilities of a module with these imports compared with the last approved release. If the imports of the
 * base were not recorded, all capabilities count as new: better to review them twice than never.
 */
export function growthSince(base: GrowthBase | null, imports: readonly string[]): Growth {
  if (base === null) return { base: null, capabilities: [], functions: [] }
  const before = base.imports ?? []
  const known = new Set(before)
  return {
    base: { id: base.id, version: base.version },
    capabilities: newCapabilities(before, imports).map(({ key }) => key),
    functions: imports.filter((name) => !known.has(name)),
  }
}

/** The new capabilities that the reviewer has not confirmed. */
export function unseenGrowth(growth: Growth, seen: readonly CapabilityKey[]): CapabilityKey[] {
  return growth.capabilities.filter((key) => !seen.includes(key))
}

/** Describes the new capabilities with these keys, such as `reads files and gets random numbers`. */
export function describeGrowth(
  base: GrowthBase,
  imports: readonly string[],
  keys: readonly CapabilityKey[],
): string {
  const words = newCapabilities(base.imports ?? [], imports)
    .filter(({ key }) => keys.includes(key))
    .map(describeCapability)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

function describeCapability({ key, label, functions }: Capability): string {
  if (key === 'unknown') return texts.decisions.unknownFunctions(functions)
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
