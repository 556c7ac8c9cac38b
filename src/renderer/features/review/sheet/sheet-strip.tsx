import type { Section, SectionId } from './sections.ts'
import { texts } from '../review.texts.ts'
import classes from './sheet-strip.module.css'

export interface SectionCount {
  text: string
  /** For screen readers, where the number alone is unclear: `1 new capability`. */
  label?: string
  tone?: 'bad' | 'warn'
}

interface Props {
  sections: readonly Section[]
  current: SectionId
  counts: Partial<Record<SectionId, SectionCount>>
  onJump: (id: SectionId) => void
}

/** Links to the sections of a release, with counts. Sticky while the release scrolls. */
export function SheetStrip({ sections, current, counts, onJump }: Props) {
  return (
    <nav className={classes['strip']} aria-label={texts.release.sectionTabs}>
      {sections.map(({ id, label }) => {
        const count = counts[id]
        return (
          <button
            key={id}
            type="button"
            data-ring="inside"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => onJump(id)}
          >
            {label}
            {count !== undefined && (
              <span data-tone={count.tone} aria-label={count.label}>
                {count.text}
              </span>
            )}
          </button>
        )
      })}
      <p data-text="note">
        {texts.release.jumpHint[0]} <kbd>1</kbd> {texts.release.jumpHint[1]} <kbd>{sections.length}</kbd>
      </p>
    </nav>
  )
}
