import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { ZoomPicture } from '../../../components/text/zoom-picture.tsx'
import { describeImage } from '../../../lib/upload/images.ts'
import classes from './project-pictures.module.css'

/** The pictures as pages show them, each with what is said of it for those who do not see it. */
export function ProjectPictures({ project }: { project: DeskProject }) {
  const { pictures } = project.content
  const [large, setLarge] = useState<number | null>(null)
  const known = new Map(project.images.map((image) => [image.sha256, image]))
  if (pictures.length === 0) return <p className={classes['none']}>None.</p>
  return (
    <ul className={classes['pictures']}>
      {pictures.map(({ sha256, alt }, index) => {
        const image = known.get(sha256)
        const name = alt === '' ? `Picture ${index + 1}` : alt
        return (
          // A picture may stand there twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${sha256}`} data-large={large === index || undefined}>
            <ZoomPicture
              sha256={sha256}
              alt={name}
              large={large === index}
              onLarge={(on) => setLarge(on ? index : null)}
            />
            <p data-missing={alt === '' || undefined}>
              {alt === '' ? 'Nothing is said of it for those who do not see it.' : <PlainText text={alt} />}
            </p>
            {image !== undefined && <p className={classes['facts']}>{describeImage(image)}</p>}
            {image?.hasPosition === true && (
              <p className={classes['position']}>
                <IconMapPin size={14} stroke={1.75} aria-hidden /> This picture carries a place. Public copies
                will not.
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
