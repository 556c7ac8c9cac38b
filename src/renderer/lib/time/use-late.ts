import { useEffect, useState } from 'react'

/** True when `waiting` has lasted `ms`; what is quick never shows a sign of waiting. */
export function useLate(waiting: boolean, ms: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting, ms])
  return waiting && late
}
