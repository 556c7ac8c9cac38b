import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** How long nothing is read before the pages are fetched, so that they take no bandwidth from the first view. */
const quietMs = 2000

/**
 * Lets the browser fetch the scripts and style sheets of all pages some time after the first view, so that opening an area
 * waits for no download (src/renderer/prefetch-pages.ts). Not a hook of the desk, which would be rendered after each read.
 */
export function PageScripts() {
  const isReading = useIsFetching() > 0
  useEffect(() => {
    if (isReading) return undefined
    const timer = setTimeout(() => {
      const pages = document.querySelector<HTMLTemplateElement>('template#pages')
      if (pages !== null) document.head.append(pages.content)
    }, quietMs)
    return () => clearTimeout(timer)
  }, [isReading])
  return null
}
