import { memo, useEffect, useState } from 'react'
import type { HtmlBlock } from '../../../shared/contracts/desk-markdown.ts'
import { SanitizedHtml } from './sanitized-html.tsx'

/** Characters of HTML that are drawn in one frame, so that a long text never holds up what is typed. */
const frameCharacters = 6000
/** What a block costs beyond its HTML, in characters. */
const blockCharacters = 50

/** Markdown that the server has rendered and sanitized; a block that stays the same is not drawn again. */
export const HtmlBlocks = memo(function HtmlBlocks({ blocks }: { blocks: readonly HtmlBlock[] }) {
  const [drawn, setDrawn] = useState(() => nextEnd(blocks, 0))
  useEffect(() => {
    if (drawn >= blocks.length) return undefined
    const frame = requestAnimationFrame(() => setDrawn(nextEnd(blocks, drawn)))
    return () => cancelAnimationFrame(frame)
  }, [blocks, drawn])
  return blocks.slice(0, drawn).map(({ html }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={index} html={html} />
  ))
})

function nextEnd(blocks: readonly HtmlBlock[], start: number): number {
  let characters = 0
  let end = start
  while (end < blocks.length && characters < frameCharacters) {
    characters += blockCharacters + (blocks[end]?.html.length ?? 0)
    end += 1
  }
  return end
}

const Block = memo(SanitizedHtml)
