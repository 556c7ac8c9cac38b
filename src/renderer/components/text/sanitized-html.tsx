import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { largestStep } from '../../../shared/contracts/images.ts'
import { renditionQuery } from '../../lib/server/renditions.api.ts'

/** HTML from a renderer that sanitizes it. An `img` names its image in the media library in `data-image`. */
export function SanitizedHtml({ html }: { html: string }) {
  const client = useQueryClient()
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const urls: string[] = []
    let isOver = false
    const show = async (image: HTMLImageElement): Promise<void> => {
      const blob = await client.fetchQuery(renditionQuery(image.dataset['image'] ?? '', largestStep))
      if (isOver) return
      image.src = URL.createObjectURL(blob)
      urls.push(image.src)
    }
    for (const image of body.current?.querySelectorAll<HTMLImageElement>('img[data-image]') ?? []) {
      // If an image cannot be loaded, its alt text stays.
      show(image).catch(() => {})
    }
    return () => {
      isOver = true
      for (const url of urls) URL.revokeObjectURL(url)
    }
    // `html` is a dependency because new HTML has new image elements.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, html])
  // oxlint-disable-next-line react/no-danger
  return <div ref={body} dangerouslySetInnerHTML={{ __html: html }} />
}
