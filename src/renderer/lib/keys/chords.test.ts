import { expect, test } from 'vitest'
import { chordOf, createKeyMatcher, isCharacter, keycap } from './chords.ts'

const press = (key: string, held: Partial<Parameters<typeof chordOf>[0]> = {}) =>
  chordOf({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

test('a pressed key is written as one chord', () => {
  expect(press('j')).toBe('j')
  expect(press('J', { shiftKey: true })).toBe('j')
  expect(press('?', { shiftKey: true })).toBe('?')
  expect(press('Enter', { ctrlKey: true })).toBe('mod+Enter')
  expect(press('Enter', { metaKey: true })).toBe('mod+Enter')
  expect(press('L', { ctrlKey: true, shiftKey: true })).toBe('mod+shift+l')
  expect(press('ArrowDown', { altKey: true })).toBe('alt+ArrowDown')
})

test.each([
  ['о', 'KeyJ', {}, 'j'],
  ['О', 'KeyJ', { shiftKey: true }, 'j'],
  ['л', 'KeyK', { ctrlKey: true }, 'mod+k'],
  ['κ', 'KeyK', { metaKey: true }, 'mod+k'],
  ['х', 'BracketLeft', {}, '['],
  // Latin layouts: AZERTY, Dvorak, Turkish.
  ['a', 'KeyQ', {}, 'a'],
  ['h', 'KeyJ', {}, 'h'],
  ['é', 'Digit2', {}, 'é'],
  ['ı', 'KeyI', {}, 'ı'],
  // Not letters.
  ['?', 'Digit7', { shiftKey: true }, '?'],
  ['Dead', 'KeyJ', {}, 'Dead'],
])(
  '%s at %s with %o is %s: layouts without Latin letters use the position of the key',
  (key, code, held, chord) => {
    expect(press(key, { code, ...held })).toBe(chord)
  },
)

test('only single characters are disabled in fields', () => {
  expect(['j', '?', ' ', '/'].every(isCharacter)).toBe(true)
  expect(['Escape', 'F6', 'mod+Enter', 'alt+ArrowDown'].some(isCharacter)).toBe(false)
})

test('a sequence waits for its second key for a limited time', () => {
  const matcher = createKeyMatcher()
  const bindings = ['g r', 'g p', 'r']
  expect(matcher.press('r', bindings, 0)).toBe('r')
  expect(matcher.press('g', bindings, 100)).toBe('waiting')
  expect(matcher.press('r', bindings, 200)).toBe('g r')
  expect(matcher.press('g', bindings, 300)).toBe('waiting')
  expect(matcher.press('r', bindings, 5000)).toBe('r')
  expect(matcher.press('g', bindings, 6000)).toBe('waiting')
  expect(matcher.press('x', bindings, 6100)).toBeNull()
  expect(matcher.press('p', bindings, 6200)).toBeNull()
})

test('keycaps show the symbols of the keyboard', () => {
  expect(keycap('g r', false)).toBe('G R')
  expect(keycap('mod+Enter', false)).toBe('Ctrl ↵')
  expect(keycap('mod+Enter', true)).toBe('⌘ ↵')
  expect(keycap(' ', false)).toBe('Space')
  expect(keycap('/', false)).toBe('/')
})
