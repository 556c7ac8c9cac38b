import type { FindingPlace } from '../contracts/findings.ts'
import { countOf } from '../text.ts'

/** `In description`, `At 0x1f3a0, 12 bytes`, `Concerns the whole module` */
export function placeLabel(place: FindingPlace): string {
  if (place.kind === 'module') return 'Concerns the whole module'
  if (place.kind === 'field') return `In ${fieldLabel(place.field)}`
  const at = `At 0x${place.offset.toString(16)}`
  return place.length > 1 ? `${at}, ${countOf(place.length, 'byte')}` : at
}

/** `the input of example 1` for `examples.0.input`. */
function fieldLabel(field: string): string {
  const [, index, side] = /^examples\.(\d+)(?:\.(input|output))?$/.exec(field) ?? []
  if (index === undefined) return field
  const example = `example ${Number(index) + 1}`
  return side === undefined ? example : `the ${side} of ${example}`
}
