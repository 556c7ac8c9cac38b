import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { PostRow } from '../../../shared/contracts/desk-posts.ts'
import type { BlogFilter } from './blog-filter.ts'
import { postsQuery } from './blog.api.ts'

export interface Posts {
  total: number
  postAt(place: number): PostRow | undefined
  /** Tells which places are in sight, so that they are read. */
  look(first: number, last: number): void
  loading: boolean
  error: unknown
  retry(): void
}

/** The list of posts, of which the pages in sight are read. */
export function usePosts(filter: BlogFilter): Posts {
  const [sight, setSight] = useState({ first: 0, last: 0 })
  const head = useQuery({ ...postsQuery(filter, 0), placeholderData: keepPreviousData })
  const from = Math.floor(sight.first / deskPageSize)
  const to = Math.floor(sight.last / deskPageSize)
  const offsets = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * deskPageSize)
  const rest = useQueries({ queries: offsets.map((offset) => postsQuery(filter, offset)) })
  const failed = rest.find(({ error }) => error !== null)
  return {
    total: head.data?.total ?? 0,
    postAt(place) {
      const page = Math.floor(place / deskPageSize)
      const read = page === 0 ? head.data : rest[page - from]?.data
      return read?.items[place % deskPageSize]
    },
    look: (first, last) => setSight({ first, last }),
    loading: head.isPending,
    error: head.error ?? failed?.error ?? null,
    retry: () => void (failed ?? head).refetch(),
  }
}
