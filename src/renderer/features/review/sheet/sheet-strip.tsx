import { sections } from './sections.ts'
import type { SectionId } from './sections.ts'
import classes from './sheet-strip.module.css'

export interface SectionCount {
  text: string
  /** For the screen reader, where the number alone says little: `1 more than before`. */
  label?: string
  tone?: 'bad' | 'warn'
}

interface Props {
  current: SectionId
  counts: Partial<Record<SectionId, SectionCount>>
  onJump: (id: SectionId) => void
}

/** The parts of a release with what there is in each; it stays in sight while the release scrolls. */
export function SheetStrip({ current, counts, onJump }: Props) {
  return (
    <nav className={classes['strip']} aria-label="Sections of the release">
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
      <p>
        jump <kbd>1</kbd> to <kbd>{sections.length}</kbd>
      </p>
    </nav>
  )
}
