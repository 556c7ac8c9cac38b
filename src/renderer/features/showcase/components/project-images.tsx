import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { ZoomableImage } from '../../../components/text/zoomable-image.tsx'
import { describeImage } from '../../../lib/describe-image.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-images.module.css'

/** The images as the public page shows them, each with its alt text. */
export function ProjectImages({ project }: { project: DeskProject }) {
  const { pictures } = project.content
  const [large, setLarge] = useState<number | null>(null)
  const known = new Map(project.images.map((image) => [image.sha256, image]))
  if (pictures.length === 0) return <p className={classes['none']}>{texts.sheet.none}</p>
  return (
    <ul className={classes['images']}>
      {pictures.map(({ sha256, alt }, index) => {
        const image = known.get(sha256)
        const name = alt === '' ? texts.sheet.image(index + 1) : alt
        return (
          // The same image may be used twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${sha256}`} data-large={large === index || undefined}>
            <ZoomableImage
              sha256={sha256}
              alt={name}
              large={large === index}
              onLarge={(on) => setLarge(on ? index : null)}
            />
            <p data-ink={alt === '' ? 'warn' : undefined}>
              {alt === '' ? texts.sheet.noAlt : <PlainText text={alt} />}
            </p>
            {image !== undefined && <p data-ink="calm">{describeImage(image)}</p>}
            {image?.hasPosition === true && (
              <p className={classes['position']}>
                <IconMapPin size={14} stroke={1.75} aria-hidden /> {texts.sheet.hasLocation}
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
