import { useEffect } from 'react'

/** Sets the window's title from `parts`, the most specific one first. */
export function useTitle(...parts: string[]): void {
  const title = [...parts, 'Skilldock'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
