import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { renditionQuery } from '../../lib/server/renditions.api.ts'
import type { RenditionStep } from '../../../shared/contracts/images.ts'

interface Props extends Omit<ComponentPropsWithoutRef<'img'>, 'src' | 'srcSet'> {
  sha256: string
  step: RenditionStep
  alt: string
  /** Shown if the image cannot be loaded. */
  fallback?: ReactNode
}

/** An image from the media library. */
export function LibraryImage({ sha256, step, alt, fallback, ...rest }: Props) {
  const { data, isError } = useQuery({
    ...renditionQuery(sha256, step),
    placeholderData: keepPreviousData,
  })
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (image.current === null || data === undefined) return undefined
    const url = URL.createObjectURL(data)
    image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [data])
  if (isError && fallback !== undefined) return fallback
  return <img {...rest} ref={image} alt={alt} data-rendition={step} />
}
