import { Failure } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props {
  query: { data: unknown; error: unknown; refetch: () => unknown }
  /** What is loading, for `Loading …`. */
  what: string
  /** The whole sentence if it fails. */
  failed: string
  rows: number
  height?: number
}

/** What is shown of a query without data, and why it could not be read or read again. */
export function Loading({ query: { data, error, refetch }, failed, ...skeleton }: Props) {
  if (error !== null) return <Failure error={error} what={failed} retry={() => void refetch()} />
  return data === undefined ? <Skeleton {...skeleton} /> : null
}
