import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'

/**
 * What the first view does not need, once it is complete and the browser is idle: `children`, and the scripts of all
 * pages, so that opening an area waits for no download.
 */
export function Later({ children }: { children: ReactNode }) {
  const isReading = useIsFetching() > 0
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    if (isReading || isLater) return undefined
    const idle = requestIdleCallback(() => {
      setLater(true)
      const pages = document.querySelector<HTMLTemplateElement>('template#pages')
      if (pages !== null) document.head.append(pages.content)
    })
    return () => cancelIdleCallback(idle)
  }, [isReading, isLater])
  return isLater && children
}
