import { useEffect } from 'react'

/** The window's title; `parts` go from the particular to the general. */
export function useTitle(...parts: string[]): void {
  const title = [...parts, 'Skilldock'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
