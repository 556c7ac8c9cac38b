import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2 } from '@tabler/icons-react'
import { largestStep } from '../../../shared/contracts/images.ts'
import { LibraryImage } from './library-image.tsx'
import classes from './zoomable-image.module.css'

interface Props {
  sha256: string
  alt: string
  large: boolean
  onLarge: (large: boolean) => void
}

/** An image from the media library. A click enlarges it to the available space, another one shrinks it. */
export function ZoomableImage({ sha256, alt, large, onLarge }: Props) {
  const Icon = large ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal
  return (
    <button
      type="button"
      className={classes['image']}
      data-large={large || undefined}
      aria-expanded={large}
      onClick={() => onLarge(!large)}
    >
      <LibraryImage sha256={sha256} step={large ? largestStep : 'medium'} alt={alt} decoding="async" />
      <Icon size={14} stroke={1.75} aria-hidden />
    </button>
  )
}
