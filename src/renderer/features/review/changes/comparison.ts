import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { compareManifests } from './manifest-diff.ts'
import type { ManifestDiff } from './manifest-diff.ts'
import { compareModules } from './module-diff.ts'
import type { ModuleDiff } from './module-diff.ts'
import { deskReleaseQuery } from '../review.api.ts'

type Versions = Pick<DeskRelease, 'id' | 'status' | 'siblings' | 'checks'>

/** The default base of the comparison: the one the server used, otherwise the latest approved version. */
export function defaultBase({ id, status, siblings, checks }: Versions): number | null {
  if (checks !== null) return checks.growth.base?.id ?? null
  const approved = siblings.filter(
    (sibling) => sibling.status === 'approved' && (status === 'pending' || sibling.id < id),
  )
  return approved.toSorted((a, b) => b.id - a.id)[0]?.id ?? null
}

/** Prefetches a release and its base, so that both are cached when it is opened. */
export async function prefetchRelease(client: QueryClient, id: number): Promise<void> {
  await client.prefetchQuery(deskReleaseQuery(id))
  const release = client.getQueryData(deskReleaseQuery(id).queryKey)
  const baseId = release === undefined ? null : defaultBase(release)
  if (baseId !== null) await client.prefetchQuery(deskReleaseQuery(baseId))
}

interface Changes {
  manifest: ManifestDiff
  /** Null if the facts of either module were not recorded. */
  module: ModuleDiff | null
  /** Changed fields, plus one each for examples, imports, exports and memory. */
  count: number
}

export interface Comparison {
  /** The release to compare with; null compares with nothing, so that everything is new. */
  baseId: number | null
  choose(baseId: number | null): void
  base: DeskRelease | null
  /** Null while the base is loading or could not be loaded. */
  changes: Changes | null
  error: unknown
  retry(): void
}

/** Compares a release with another version of the skill. */
export function useComparison(release: DeskRelease): Comparison {
  const [chosen, choose] = useState<number | null | undefined>(undefined)
  const baseId = chosen === undefined ? defaultBase(release) : chosen
  const query = useQuery({ ...deskReleaseQuery(baseId ?? 0), enabled: baseId !== null })
  const base = baseId === null ? null : (query.data ?? null)
  const changes = useMemo(
    () => (baseId !== null && base === null ? null : compareReleases(base, release)),
    [baseId, base, release],
  )
  return { baseId, choose, base, changes, error: query.error, retry: () => void query.refetch() }
}

function compareReleases(base: DeskRelease | null, release: DeskRelease): Changes {
  const manifest = compareManifests(base?.manifest ?? null, release.manifest)
  const module = compareModules(base, release)
  return {
    manifest,
    module,
    count: manifest.fields.length + (manifest.examples.length > 0 ? 1 : 0) + (module?.count ?? 0),
  }
}
