// The colors of the desk, each with a light and a dark value. Text has a contrast of at least 4.5 on every surface,
// control outlines and chart marks of at least 3. Components use them only as `--desk-NAME`.
export const tokens = {
  app: ['#F3F2EE', '#151412'],
  sheet: ['#FCFBF9', '#1C1B18'],
  raised: ['#FFFFFF', '#24221F'],
  sunken: ['#EDEBE6', '#11100E'],
  hover: ['#EAE8E2', '#2A2824'],
  line: ['#E3E0D9', '#302D29'],
  line2: ['#CFCBC2', '#45413B'],
  control: ['#8B867C', '#827C72'],
  ink: ['#211F1B', '#ECE9E3'],
  ink2: ['#57534B', '#BBB6AC'],
  ink3: ['#6B665D', '#9F998E'],
  accent: ['#1B5E86', '#82BBE0'],
  accentHover: ['#154C6D', '#A3CEEA'],
  onAccent: ['#FFFFFF', '#0E1A22'],
  accentTint: ['#E1ECF3', '#1D303D'],
  accentLine: ['#A9C8DB', '#35566B'],
  ok: ['#1D6B42', '#74C698'],
  okTint: ['#E2F0E6', '#1A2F23'],
  okLine: ['#A9D0B8', '#33573F'],
  warn: ['#855600', '#E3B454'],
  warnTint: ['#FAEED2', '#352A14'],
  warnLine: ['#E3C88C', '#5F4C22'],
  bad: ['#A82C22', '#F1938A'],
  badHover: ['#87231B', '#F2D0CA'],
  badTint: ['#FBE8E4', '#3B201D'],
  badLine: ['#E9B9B1', '#6B3731'],
  invert: ['#2B2925', '#ECE9E3'],
  onInvert: ['#F6F4EF', '#211F1B'],
  invertLink: ['#9CCBE8', '#1B5E86'],
  c1: ['#2B7BB6', '#428FCC'],
  c2: ['#BD7B0E', '#C87E2A'],
  c3: ['#186535', '#97D58C'],
  c4: ['#641855', '#E7A6E7'],
  c5: ['#908C84', '#747069'],
  scrim: ['rgba(20, 18, 14, 0.38)', 'rgba(0, 0, 0, 0.5)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

type Token = keyof typeof tokens

/** `accentTint` is `--desk-accent-tint`. */
function variableOf(token: Token): string {
  return `--desk-${token.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function readToken(token: Token): string {
  return `var(${variableOf(token)})`
}

export function tokenVariables(scheme: 'light' | 'dark'): Record<string, string> {
  const index = scheme === 'light' ? 0 : 1
  return Object.fromEntries(
    Object.entries(tokens).map(([token, values]) => [variableOf(token as Token), values[index]]),
  )
}

type Ten = [string, string, string, string, string, string, string, string, string, string]

const scale = (values: string): Ten => values.split(' ').map((value) => `#${value}`) as Ten

/** Ten shades of each color name that Mantine may use. */
export const colors = {
  harbor: scale('E1ECF3 C5DAE7 A9C8DB 82BBE0 69A3C9 508BB2 37749C 1B5E86 154C6D 0F3147'),
  green: scale('E2F0E6 C5E0CF A9D0B8 74C698 5FAE82 49976C 348156 1D6B42 165634 0F3D25'),
  yellow: scale('FAEED2 EFDBAF E3C88C E3B454 CB9C41 B3842F 9C6C1B 855600 6B4500 4A3000'),
  red: scale('FBE8E4 F2D0CA E9B9B1 F1938A DF7A70 CD6257 BB483D A82C22 87231B 5E1812'),
  gray: scale('FCFBF9 F3F2EE EDEBE6 E3E0D9 CFCBC2 8B867C 6B665D 57534B 3A362F 211F1B'),
  dark: scale('ECE9E3 BBB6AC 9F998E 827C72 45413B 302D29 24221F 1C1B18 151412 11100E'),
}
