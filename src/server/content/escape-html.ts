const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
}

/** Markdown that is not rendered: letter by letter, in a block of its own. */
export function asWritten(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
}
