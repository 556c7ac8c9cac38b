export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

/** When output has colors. */
export type ColorMode = 'always' | 'never' | 'on a terminal'

/**
 * What the environment says about colors, read as Node does: FORCE_COLOR takes precedence, and any value that does not
 * name a number of colors turns them off. Otherwise NO_COLOR (https://no-color.org) and a dumb terminal have none.
 */
export function colorMode(environment: Readonly<Record<string, string | undefined>>): ColorMode {
  const { FORCE_COLOR: forced, NO_COLOR: none = '', TERM: terminal } = environment
  if (forced !== undefined) return ['', '1', '2', '3', 'true'].includes(forced) ? 'always' : 'never'
  return none !== '' || terminal === 'dumb' ? 'never' : 'on a terminal'
}

export type Styled = (style: Style, text: string) => string

/** Styles text for a stream, or returns it unchanged if that stream has no colors. */
export function styleFor(mode: ColorMode, isTerminal: boolean): Styled {
  if (mode === 'never' || (mode === 'on a terminal' && !isTerminal)) return (_style, text) => text
  return (style, text) => {
    const [on, off] = codes[style]
    return `\u001B[${on}m${text}\u001B[${off}m`
  }
}
