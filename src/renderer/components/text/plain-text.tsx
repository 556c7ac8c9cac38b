import { Fragment } from 'react'
import { textPieces } from '../../../shared/text-pieces.ts'
import classes from './plain-text.module.css'

/** Text as it was sent; what would not be seen in it stands there as its number. */
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
