import { useRef, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ReviewRelease } from '../review.api.ts'
import { canAsk } from '../sheet/conversation.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatClock, formatFullDate } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { findingsNote, orderFindings } from './findings-list.ts'
import type { ListedFinding } from './findings-list.ts'
import { reveal } from '../sheet/sections.ts'
import { FindingItem } from './finding-item.tsx'
import { texts } from '../review.texts.ts'
import classes from './findings.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: ReviewRelease
  /** Findings from the test runs in this browser. */
  observed: readonly ListedFinding[]
}

/** All findings of a release, with their actions. */
export function Findings({ release, observed }: Props) {
  const { checks } = release
  const list = useRef<HTMLUListElement>(null)
  const [places, setPlaces] = useState<string[]>([])
  const [dismissing, setDismissing] = useState<string | null>(null)
  const stored = checks?.findings.map((finding) => ({ ...finding, seenAt: null })) ?? []
  const findings = orderFindings([...stored, ...observed], places)
  // A dismissed finding keeps its position until the release is opened again, so that nothing moves under the pointer.
  const order = findings.map(({ fingerprint }) => fingerprint)
  if (order.join() !== places.join()) setPlaces(order)

  const items = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('[data-finding]') ?? []),
  ]
  const focused = (): number => items().findIndex((item) => item.contains(document.activeElement))
  const focus = (item: HTMLElement | undefined): void => {
    if (item === undefined) return
    reveal(item)
    item.focus({ preventScroll: true })
  }
  useActions(
    findings.length === 0
      ? []
      : [
          {
            id: 'next-finding',
            label: texts.findings.next,
            group: 'Look',
            keys: ['f'],
            run: () => focus(items()[(focused() + 1) % findings.length]),
          },
          {
            id: 'dismiss-finding',
            label: texts.findings.dismissCommand,
            group: 'Look',
            keys: ['h'],
            run: () => {
              const at = focused()
              const finding = at === -1 ? findings.find(({ judgement }) => judgement === null) : findings[at]
              if (finding?.judgement === null) setDismissing(finding.fingerprint)
            },
          },
        ],
  )
  return (
    <Section
      id="findings"
      title={texts.findings.title}
      note={checks === null ? texts.findings.notChecked : findingsNote(findings)}
    >
      <ul ref={list}>
        {findings.map((finding) => (
          <FindingItem
            key={finding.fingerprint}
            release={release}
            mayAsk={canAsk(release)}
            finding={finding}
            isDismissing={dismissing === finding.fingerprint}
            onDismiss={(open) => setDismissing(open ? finding.fingerprint : null)}
          />
        ))}
      </ul>
      <p className={classes['checked']} data-text="hint">
        {checks === null ? (
          texts.findings.notCheckedYet
        ) : (
          <Checked checks={checks} isEmpty={findings.length === 0} />
        )}
      </p>
    </Section>
  )
}

/** `31 checks (version 1.6) examined the manifest, texts and module at 10:44:51.` */
function Checked({ checks, isEmpty }: { checks: NonNullable<DeskRelease['checks']>; isEmpty: boolean }) {
  const now = useNow()
  const at = new Date(checks.checkedAt)
  const isToday = at.toDateString() === new Date(now).toDateString()
  const when = isToday
    ? texts.findings.checkedAt(formatClock(at))
    : texts.findings.checkedOn(formatFullDate(checks.checkedAt), formatClock(at))
  return (
    <>
      {texts.findings.checked(checks.count, checks.version, isEmpty)}{' '}
      <time dateTime={checks.checkedAt} title={checks.checkedAt}>
        {when}
      </time>
      .
    </>
  )
}
