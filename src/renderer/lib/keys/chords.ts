/** The fields of a keyboard event from which `chordOf` makes a text such as `j`, `Escape` or `mod+Enter`. */
interface KeyPress {
  key: string
  /** The position of the key, named after a US keyboard: `KeyK`. */
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

const punctuation: Record<string, string> = {
  BracketLeft: '[',
  BracketRight: ']',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backquote: '`',
}

/**
 * The character that a key types, on all Latin layouts such as AZERTY and Dvorak. Layouts for other scripts type none of
 * the letters that shortcuts use, so for them the position of the key decides.
 */
function keyOf({ key, code }: KeyPress): string {
  if (!/^\p{L}$/u.test(key) || /\p{Script=Latin}/u.test(key)) return key
  return /^Key([A-Z])$/.exec(code)?.[1] ?? punctuation[code] ?? key
}

/** The canonical text of a key press, to compare with bindings; `mod` is Ctrl or Cmd. */
export function chordOf(press: KeyPress): string {
  const typed = keyOf(press)
  const key = typed.length === 1 ? typed.toLowerCase() : typed
  const modifiers = [
    press.ctrlKey || press.metaKey ? 'mod+' : '',
    press.altKey ? 'alt+' : '',
    // A typed character includes the effect of Shift.
    press.shiftKey && (press.key.length > 1 || press.ctrlKey || press.metaKey) ? 'shift+' : '',
  ]
  return `${modifiers.join('')}${key}`
}

/** Whether a chord is a character that a person might be typing; only these are disabled in fields. */
export function isCharacter(chord: string): boolean {
  return [...chord].length === 1
}

/** How long a sequence such as `g r` waits for its second key. */
const sequenceMs = 1500

interface KeyMatcher {
  /** The binding that this key completes, `waiting` after the first key of a sequence, or null. */
  press(chord: string, bindings: readonly string[], now: number): string | null
}

/** Recognizes single chords and sequences of two, such as `g r`. */
export function createKeyMatcher(): KeyMatcher {
  let first: { chord: string; at: number } | null = null
  return {
    press(chord, bindings, now) {
      const pending = first !== null && now - first.at < sequenceMs ? first.chord : null
      first = null
      if (pending !== null) {
        const sequence = `${pending} ${chord}`
        if (bindings.includes(sequence)) return sequence
      }
      if (bindings.some((binding) => binding.startsWith(`${chord} `) && chord !== ' ')) {
        first = { chord, at: now }
        return 'waiting'
      }
      return bindings.includes(chord) ? chord : null
    },
  }
}

const names: Record<string, string> = {
  Escape: 'Esc',
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
  alt: 'Alt',
  shift: '⇧',
}

/** The keycaps of a binding: `mod+Enter` is `Ctrl ↵`, on a Mac `⌘ ↵`; `g r` is `G R`. */
export function keycap(binding: string, mac: boolean): string {
  if (binding === ' ') return 'Space'
  return binding
    .split(/[ +]/)
    .map((part) =>
      part === 'mod'
        ? mac
          ? '⌘'
          : 'Ctrl'
        : (names[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    )
    .join(' ')
}
