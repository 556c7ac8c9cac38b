import { useMemo } from 'react'
import { diffWords } from '../../../shared/diff/text-diff.ts'
import type { TextPart } from '../../../shared/diff/text-diff.ts'
import { PlainText } from './plain-text.tsx'
import classes from './text-diff.module.css'

/** The new text with removed parts struck through and added parts underlined. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after])
  return <TextParts parts={parts} />
}

export function TextParts({ parts }: { parts: readonly TextPart[] }) {
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Part key={index} {...part} />
  ))
}

function Part({ kind, text }: TextPart) {
  if (kind === 'same') return <PlainText text={text} />
  // A marked space before the first word would be visible at the end of the line above.
  const space = /^ (?=\S)/.test(text) ? ' ' : ''
  const shown = <PlainText text={text.slice(space.length)} />
  return (
    <>
      {space}
      {kind === 'removed' ? (
        <del className={classes['part']}>{shown}</del>
      ) : (
        <ins className={classes['part']}>{shown}</ins>
      )}
    </>
  )
}
