import { useEffect, useState } from 'react'

/** True once `waiting` has lasted `ms`, so that quick operations show no loading state. */
export function useDelayed(waiting: boolean, ms: number): boolean {
  const [isDelayed, setDelayed] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setDelayed(true), ms)
    return () => {
      clearTimeout(timer)
      setDelayed(false)
    }
  }, [waiting, ms])
  return waiting && isDelayed
}
