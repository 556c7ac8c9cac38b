import { useRef, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { formatClock, formatFullDate } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { findingsNote, orderFindings } from './findings-list.ts'
import type { ListedFinding } from './findings-list.ts'
import { reveal } from '../sheet/sections.ts'
import { FindingItem } from './finding-item.tsx'
import classes from './findings.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: DeskRelease
  /** What was found in this browser, for the examples have run. */
  observed: readonly ListedFinding[]
}

/** What the checks say about a release, each with what one can do about it. */
export function Findings({ release, observed }: Props) {
  const { checks } = release
  const list = useRef<HTMLUListElement>(null)
  const [places, setPlaces] = useState<string[]>([])
  const [judging, setJudging] = useState<string | null>(null)
  const stored = checks?.findings.map((finding) => ({ ...finding, seenAt: null })) ?? []
  const findings = orderFindings([...stored, ...observed], places)
  // A finding that is judged stays under the hand; the next time the release is opened it stands where it belongs.
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
            label: 'next finding',
            group: 'Look',
            keys: ['f'],
            run: () => focus(items()[(focused() + 1) % findings.length]),
          },
          {
            id: 'judge',
            label: 'judge the finding harmless…',
            group: 'Look',
            keys: ['h'],
            run: () => {
              const at = focused()
              const finding = at === -1 ? findings.find(({ judgement }) => judgement === null) : findings[at]
              if (finding?.judgement === null) setJudging(finding.fingerprint)
            },
          },
        ],
  )
  return (
    <Section
      id="findings"
      title="Findings"
      note={checks === null ? 'not checked yet' : findingsNote(findings)}
    >
      <ul ref={list}>
        {findings.map((finding) => (
          <FindingItem
            key={finding.fingerprint}
            release={release}
            finding={finding}
            isDismissing={judging === finding.fingerprint}
            onDismiss={(open) => setJudging(open ? finding.fingerprint : null)}
          />
        ))}
      </ul>
      <p className={classes['checked']}>
        {checks === null ? 'Not checked yet.' : <Checked checks={checks} isEmpty={findings.length === 0} />}
      </p>
    </Section>
  )
}

/** `None. 31 checks of version 1.6 looked at the manifest, the texts and the module at 10:44:51.` */
function Checked({ checks, isEmpty }: { checks: NonNullable<DeskRelease['checks']>; isEmpty: boolean }) {
  const now = useNow()
  const at = new Date(checks.checkedAt)
  const isToday = at.toDateString() === new Date(now).toDateString()
  const when = isToday
    ? `at ${formatClock(at)}`
    : `on ${formatFullDate(checks.checkedAt)} at ${formatClock(at)}`
  return (
    <>
      {isEmpty && 'None. '}
      {plural(checks.count, 'check')} of version {checks.version} looked at the manifest, the texts and the
      module{' '}
      <time dateTime={checks.checkedAt} title={checks.checkedAt}>
        {when}
      </time>
      .
    </>
  )
}
