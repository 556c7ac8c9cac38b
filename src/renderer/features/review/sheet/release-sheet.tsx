import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { useScrollKeys } from '../../../lib/keys/use-scroll-keys.ts'
import { useComparison } from '../changes/comparison.ts'
import { useConfirmedCapabilities } from '../decision/confirmed-capabilities.ts'
import { useObservedFindings } from '../findings/observed-findings.ts'
import type { ReviewRelease } from '../review.api.ts'
import { countPassed, useRuns } from '../runs/runs.ts'
import { isSection, jumpTo, sections } from './sections.ts'
import type { Section, SectionId } from './sections.ts'
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
  me: number
}

/** All sections of a release, shown above the dock. */
export function ReleaseSheet({ release, list, me }: Props) {
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
    ...(passed !== null && {
      did: {
        text: texts.testRuns.passed(passed, runs.examples.length),
        ...(passed < runs.examples.length && { tone: 'warn' as const }),
      },
    }),
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
      <ReleaseHead release={release} list={list} me={me} />
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

/** Shortcuts within a release: digits for its sections, and scroll keys. `scroll` takes a number of pages. */
function useSheetActions(shown: readonly Section[], scroll: (pages: number) => void): void {
  useActions(
    shown.map(({ id, label }, index): Action => ({
      id: `section-${id}`,
      label: texts.release.jumpTo(label),
      group: 'Move',
      keys: [String(index + 1)],
      run: () => jumpTo(id),
    })),
  )
  useScrollKeys(texts.queue.noun, scroll)
}

/** `+1` in red if the release has a new capability; nothing otherwise. */
function newCapabilityCount({ checks }: ReviewRelease): { 'can-do'?: SectionCount } {
  const count = checks?.growth.capabilities.length ?? 0
  return count === 0
    ? {}
    : { 'can-do': { text: `+${count}`, label: texts.capabilities.newCount(count), tone: 'bad' } }
}
