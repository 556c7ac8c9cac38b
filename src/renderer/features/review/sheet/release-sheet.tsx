import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { useComparison } from '../changes/comparison.ts'
import { useConfirmedCapabilities } from '../decision/confirmed-capabilities.ts'
import { useObservedFindings } from '../findings/observed-findings.ts'
import type { ReviewRelease } from '../review.api.ts'
import { useRuns } from '../runs/runs.ts'
import { countPassed } from '../runs/run-summary.ts'
import { isSection, jumpTo, sections } from './sections.ts'
import type { SectionId } from './sections.ts'
import { useSheetActions } from './use-sheet-actions.ts'
import { Capabilities } from './capabilities.tsx'
import { Changes } from '../changes/changes.tsx'
import { TestRuns } from '../runs/test-runs.tsx'
import { Conversation, useHasConversation } from './conversation.tsx'
import { Documents } from './documents.tsx'
import { Findings } from '../findings/findings.tsx'
import { NewCapabilitiesLine } from '../changes/new-capabilities-line.tsx'
import { ModuleViewer } from '../module/module-viewer.tsx'
import { PackageProblem } from './package-problem.tsx'
import { ReleaseHead } from './release-head.tsx'
import { ReleaseHistory } from './release-history.tsx'
import { SheetColumns } from './sheet-columns.tsx'
import { SheetStrip } from './sheet-strip.tsx'
import type { SectionCount } from './sheet-strip.tsx'
import { texts } from '../review.texts.ts'

interface Props {
  release: ReviewRelease
  /** The button that opens the queue where the window is too narrow for a column. */
  list: ReactNode
  /** Who else has this release open. */
  presence?: ReactNode
}

/** All sections of a release, shown above the dock. */
export function ReleaseSheet({ release, list, presence }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<SectionId>('changes')
  const comparison = useComparison(release)
  const { growth } = useConfirmedCapabilities(release)
  const runs = useRuns(release)
  const passed = countPassed(runs)
  const observed = useObservedFindings(release, runs.observation)
  const hasConversation = useHasConversation(release)
  const shown = hasConversation ? sections : sections.filter(({ id }) => id !== 'conversation')
  useSheetActions(shown, (pages) => {
    const element = scroller.current
    element?.scrollBy({ top: element.clientHeight * pages })
  })
  const counts: Partial<Record<SectionId, SectionCount>> = {
    ...(comparison.changes !== null && { changes: { text: String(comparison.changes.count) } }),
    ...newCapabilityCount(release),
    ...(passed !== null && { did: passed }),
    ...(release.checks !== null && {
      findings: { text: String(release.checks.findings.length + observed.length) },
    }),
    history: { text: String(release.events.length) },
    conversation: { text: String(release.thread.messages.length) },
  }
  return (
    <Sheet
      ref={scroller}
      label={texts.release.region(release.name, release.version)}
      // The strip marks the section that has the focus.
      onFocus={(target) => {
        const id = target.closest('section[id]')?.id
        if (id !== undefined && isSection(id)) setCurrent(id)
      }}
    >
      <ReleaseHead release={release} list={list} presence={presence} />
      <SheetStrip sections={shown} current={current} counts={counts} onJump={jumpTo} />
      {release.package !== 'intact' && <PackageProblem state={release.package} />}
      <SheetColumns
        blocks={{
          ...(growth !== null && { 'new-capabilities': <NewCapabilitiesLine growth={growth} /> }),
          changes: <Changes release={release} comparison={comparison} />,
          'can-do': <Capabilities release={release} runs={runs.observation?.runs ?? null} />,
          did: <TestRuns release={release} />,
          findings: <Findings release={release} observed={observed} />,
          inside: <ModuleViewer release={release} />,
          documents: <Documents manifest={release.manifest} />,
          history: <ReleaseHistory release={release} />,
          ...(hasConversation && { conversation: <Conversation release={release} /> }),
        }}
      />
    </Sheet>
  )
}

/** `+1` in red if the release has a new capability; nothing otherwise. */
function newCapabilityCount({ checks }: ReviewRelease): { 'can-do'?: SectionCount } {
  const count = checks?.growth.capabilities.length ?? 0
  return count === 0
    ? {}
    : { 'can-do': { text: `+${count}`, label: texts.capabilities.newCount(count), tone: 'bad' } }
}
