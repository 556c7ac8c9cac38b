import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * Lets the browser fetch the scripts of all pages once it is idle after the first view, so that opening an area waits for
 * no download (src/renderer/prefetch-pages.ts). Not a hook of the desk, which would be rendered after each read.
 */
export function PageScripts() {
  const isReading = useIsFetching() > 0
  const queries = useQueryClient()
  useEffect(() => {
    if (isReading) return undefined
    const idle = requestIdleCallback(() => {
      // The reads of the first view may have begun without being reported yet.
      if (queries.isFetching() > 0) return
      const pages = document.querySelector<HTMLTemplateElement>('template#pages')
      if (pages !== null) document.head.append(pages.content)
    })
    return () => cancelIdleCallback(idle)
  }, [isReading, queries])
  return null
}
