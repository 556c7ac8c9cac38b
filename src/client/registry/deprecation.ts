import type { Deprecation } from '../../shared/contracts/release-states.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { texts } from './registry.texts.ts'

/** `Deprecated: It does not handle quoted fields. Use csv-to-json instead.` */
export const deprecationText = ({ reason, successor }: Deprecation): string =>
  texts.release.deprecated(plainLine(reason), successor === null ? null : plainLine(successor))

export const deprecationLine = (terminal: Terminal, deprecation: Deprecation): string =>
  terminal.style('yellow', deprecationText(deprecation))
