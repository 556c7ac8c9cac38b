import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { useScrollKeys } from '../../../lib/keys/use-scroll-keys.ts'
import { jumpTo } from './sections.ts'
import type { Section } from './sections.ts'
import { texts } from '../review.texts.ts'

/** Shortcuts within a release: digits for its sections, and scroll keys. `scroll` takes a number of pages. */
export function useSheetActions(sections: readonly Section[], scroll: (pages: number) => void): void {
  useActions(
    sections.map(({ id, label }, index): Action => ({
      id: `section-${id}`,
      label: texts.release.jumpTo(label),
      group: 'Move',
      keys: [String(index + 1)],
      run: () => jumpTo(id),
    })),
  )
  useScrollKeys(texts.queue.noun, scroll)
}
