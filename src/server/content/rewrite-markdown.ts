import { Lexer } from 'marked'
import type { Token, Tokens } from 'marked'
import { isTooDeep } from './nesting-depth.ts'
import type { Rewriting } from './render-options.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'

/**
 * Changes only the levels of headings and the addresses of library images; code stays unchanged. Throws if the text is
 * nested too deeply or makes the parser fail. It may take a very long time, so it only runs in the worker of
 * `markdown-reader.ts`, which can be terminated.
 */
export function rewriteMarkdown(markdown: string, rewriting: Rewriting): string {
  if (isTooDeep(markdown)) throw new Error('The text is nested too deeply.')
  return blocksOf(markdown)
    .map((token) => rewriteToken(token, rewriting))
    .join('')
}

/** Parses blocks only: inline parsing takes quadratic time for text that consists mostly of markup. */
function blocksOf(markdown: string): Token[] {
  return new Lexer({ gfm: true }).blockTokens(markdown.replaceAll(/\r\n|\r/g, '\n'))
}

function rewriteToken(token: Token, rewriting: Rewriting): string {
  if (token.type === 'code' || token.type === 'html') return token.raw
  const { headingShift = 0, images } = rewriting
  let text = token.raw
  if (headingShift > 0) {
    text =
      token.type === 'heading'
        ? shifted(token as Tokens.Heading, headingShift)
        : shiftNested(token, headingShift)
  }
  if (images === undefined) return text
  // Matches any link text, and also reference definitions.
  return text.replaceAll(
    /(\](?:\(|:)\s*)<?image:([a-f0-9]{64})>?/g,
    (written, start: string, sha256: string) => {
      const address = images.get(sha256)
      return address === undefined ? written : `${start}${address}`
    },
  )
}

/** Setext headings become ATX headings, since they have only two levels. */
function shifted({ depth, text, raw }: Tokens.Heading, shift: number): string {
  const end = raw.slice(trimEndCharacters(raw, '\n').length)
  return `${'#'.repeat(Math.min(6, depth + shift))} ${text.replaceAll('\n', ' ')}${end}`
}

/** Lowers the headings within a list or quotation. */
function shiftNested(token: Token, shift: number): string {
  let text = ''
  let rest = token.raw
  for (const heading of headingsOf(token)) {
    const line = heading.raw.trimEnd()
    const at = rest.indexOf(line)
    if (at < 0 || line.includes('\n')) continue
    text += rest.slice(0, at) + shifted({ ...heading, raw: line }, shift)
    rest = rest.slice(at + line.length)
  }
  return text + rest
}

function headingsOf(token: Token): Tokens.Heading[] {
  const inner = token.type === 'list' ? (token as Tokens.List).items : 'tokens' in token ? token.tokens : []
  return (inner ?? []).flatMap((one) => (one.type === 'heading' ? [one as Tokens.Heading] : headingsOf(one)))
}
