import { memo, useEffect, useState } from 'react'
import type { HtmlBlock } from '../../../shared/contracts/desk-markdown.ts'
import { SanitizedHtml } from './sanitized-html.tsx'

/** Characters of HTML drawn per animation frame, so that a long text does not delay typing. */
const frameCharacters = 6000
/** Fixed cost of a block, in characters. */
const blockCharacters = 50

/** Markdown that the server has rendered and sanitized. Unchanged blocks are not drawn again. */
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
