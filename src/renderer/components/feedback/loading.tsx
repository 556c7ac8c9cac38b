import { Failure } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

/** The state of a query. */
export interface Read {
  error: unknown
  /** Whether nothing has been read yet. */
  isPending: boolean
  refetch: () => unknown
}

interface Props {
  query: Read
  /** What is loading, for `Loading …`. */
  what: string
  /** The whole sentence if it fails. */
  failed: string
  rows: number
  height?: number
}

/** What is shown of a query without data, and why it could not be read or read again. */
export function Loading({ query: { isPending, error, refetch }, failed, ...skeleton }: Props) {
  if (error !== null) return <Failure error={error} what={failed} retry={() => void refetch()} />
  return isPending ? <Skeleton {...skeleton} /> : null
}
