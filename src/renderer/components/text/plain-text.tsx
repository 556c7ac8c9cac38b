import { Fragment } from 'react'
import { textPieces } from '../../../shared/text-pieces.ts'
import classes from './plain-text.module.css'

/** Text exactly as it was sent. Invisible characters are shown as their code points. */
export function PlainText({ text }: { text: string }) {
  return textPieces(text).map((piece, index) =>
    'text' in piece ? (
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>{piece.text}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={classes['chip']}>
        {piece.code}
      </span>
    ),
  )
}
