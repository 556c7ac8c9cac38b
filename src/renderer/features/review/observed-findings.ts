import { useQuery } from '@tanstack/react-query'
import type { DeskRelease } from '../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../shared/contracts/evidence.ts'
import type { ListedFinding } from './findings-list.ts'

type Observable = Pick<DeskRelease, 'id' | 'manifest' | 'size' | 'module' | 'checks'>

const none: readonly ListedFinding[] = []

/** Findings that need to see the examples run, by the same checks, of what ran in this browser. */
export function useObservedFindings(
  release: Observable,
  observation: Observation | null,
): readonly ListedFinding[] {
  const query = useQuery({
    queryKey: ['observed-findings', release.id, observation],
    enabled: observation !== null,
    staleTime: Infinity,
    queryFn: () => findObserved(release, observation),
  })
  return query.data ?? none
}

async function findObserved(
  { manifest, size, module, checks }: Observable,
  observation: Observation | null,
): Promise<ListedFinding[]> {
  if (observation === null) return []
  // The checks come when the first example has run, not with the desk.
  const { runChecksOn } = await import('../../../shared/findings/run-checks.ts')
  const known = new Set(checks?.findings.map(({ fingerprint }) => fingerprint))
  const input = { manifest, size, module, scan: null, problem: null, registry: null, runs: observation.runs }
  return runChecksOn(input, 'runs')
    .filter(({ fingerprint }) => !known.has(fingerprint))
    .map((finding) => ({
      ...finding,
      judgement:
        checks?.observed.find(({ fingerprint }) => fingerprint === finding.fingerprint)?.judgement ?? null,
      seenAt: observation.ranAt,
    }))
}
