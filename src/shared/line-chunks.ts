/** Lines per chunk that the browser lays out together. The style sheet reserves their height (`.lines`). */
const linesOfChunk = 100

/** Splits a text after every hundredth line, so that a browser can skip the chunks that are not visible. */
export function lineChunks(text: string): string[] {
  const chunks: string[] = []
  let start = 0
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines % linesOfChunk !== 0) continue
    chunks.push(text.slice(start, at + 1))
    start = at + 1
  }
  if (start < text.length) chunks.push(text.slice(start))
  return chunks
}
