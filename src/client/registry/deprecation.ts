import type { Deprecation } from '../../shared/contracts/release-states.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { texts } from './registry.texts.ts'

/** `Deprecated: It does not handle quoted fields. Use csv-to-json instead.` */
export function deprecationLine(terminal: Terminal, { reason, successor }: Deprecation): string {
  const text = texts.release.deprecated(plainLine(reason), successor === null ? null : plainLine(successor))
  return terminal.style('yellow', text)
}
