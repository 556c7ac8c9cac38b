import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const mono = 'var(--mantine-font-family-monospace)'

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--desk-ink)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: mono,
    fontFeatureSettings: "'calt' 0, 'liga' 0",
    lineHeight: '22px',
    overflowX: 'hidden',
  },
  '.cm-content': { padding: '14px 0 40vh', maxWidth: '640px', caretColor: 'var(--desk-ink)' },
  '.cm-line': { padding: '0 16px 0 0' },
  '.cm-gutters': {
    border: '0',
    backgroundColor: 'transparent',
    color: 'var(--desk-ink3)',
    fontSize: '12px',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', padding: '0 14px 0 0' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--desk-ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--desk-ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--desk-accent-tint)',
  },
  // Padding, since CodeMirror measures a widget's height without margins.
  '[data-card]': { padding: '6px 16px 6px 0' },
  '.cm-placeholder': { color: 'var(--desk-ink3)' },
})

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--desk-accent)' },
  { tag: tags.monospace, backgroundColor: 'var(--desk-sunken)', borderRadius: '3px' },
  { tag: tags.quote, color: 'var(--desk-ink2)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment], color: 'var(--desk-ink3)' },
])

/** The editor in the desk's colors, which follow the color scheme. */
export const deskTheme: Extension = [theme, syntaxHighlighting(highlighting)]
