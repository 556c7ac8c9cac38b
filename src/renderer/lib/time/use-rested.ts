import { useEffect, useState } from 'react'

/** A value as it was when it last stayed the same for `ms`; what is typed counts after a short rest. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
