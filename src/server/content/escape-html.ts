import { textPieces } from '../../shared/text-pieces.ts'
import { lineChunks } from '../../shared/line-chunks.ts'
import type { RenderOptions } from './render-options.ts'

const special = /[&<>"']/
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  // Most text has no such character, and a test is much cheaper than a replacement.
  if (!special.test(text)) return text
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
}

/** Escapes text for an audience; reviewers see invisible characters as code points. */
export function visibleFor({ audience }: RenderOptions): (text: string) => string {
  return audience === 'reviewer' ? revealHidden : escapeHtml
}

function revealHidden(text: string): string {
  return textPieces(text)
    .map((piece) =>
      'text' in piece ? escapeHtml(piece.text) : `<span class="hidden-character">${piece.code}</span>`,
    )
    .join('')
}

/** Markdown source in a code block, without rendering. */
export function asSource(text: string, visible: (text: string) => string): string {
  return `<pre tabindex="0"><code>${inChunks(text, visible)}</code></pre>\n`
}

/** Preformatted text; long text is split into parts that a browser lays out separately. */
export function inChunks(text: string, visible: (text: string) => string): string {
  const chunks = lineChunks(text)
  if (chunks.length < 2) return visible(text)
  return chunks.map((lines) => `<span class="lines">${visible(lines)}</span>`).join('')
}
