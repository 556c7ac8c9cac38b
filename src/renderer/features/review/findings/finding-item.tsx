import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle, IconChecks, IconInfoCircle } from '@tabler/icons-react'
import { useRef } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Judgement } from '../../../../shared/contracts/findings.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useReopenFinding } from './findings.api.ts'
import { findingSentence } from './findings-list.ts'
import type { ListedFinding } from './findings-list.ts'
import { appendToReason } from '../decision/reason-draft.ts'
import { FindingPlaceLink } from './finding-place.tsx'
import classes from './findings.module.css'
import { DismissForm } from './dismiss-form.tsx'

const looks = {
  error: { Icon: IconAlertOctagonFilled, word: 'error' },
  warning: { Icon: IconAlertTriangle, word: 'warning' },
  note: { Icon: IconInfoCircle, word: 'note' },
} as const

interface Props {
  release: Pick<DeskRelease, 'id' | 'version'>
  finding: ListedFinding
  isDismissing: boolean
  onDismiss: (open: boolean) => void
}

/** One finding: what, why, what to do, where; and what a person has said about it. */
export function FindingItem({ release, finding, isDismissing, onDismiss }: Props) {
  const item = useRef<HTMLLIElement>(null)
  const { check, severity, title, reason, advice, place, judgement } = finding
  const { Icon, word } = looks[severity]
  const close = (): void => {
    onDismiss(false)
    item.current?.focus()
  }
  return (
    <li
      ref={item}
      className={classes['finding']}
      data-finding={finding.fingerprint}
      data-severity={judgement === null ? severity : undefined}
      tabIndex={-1}
      aria-label={`${judgement === null ? word : `${word}, judged harmless`}: ${title}`}
    >
      {judgement === null ? (
        <Icon size={16} stroke={1.75} role="img" aria-label={word} />
      ) : (
        <IconChecks size={16} stroke={1.75} role="img" aria-label={`${word}, judged harmless`} />
      )}
      <div className={classes['body']}>
        <p className={classes['head']}>
          <b>
            <PlainText text={title} />
          </b>
          <code>{check}</code>
        </p>
        <p className={classes['reason']}>
          <PlainText text={reason} /> {judgement === null && <PlainText text={advice} />}{' '}
          <FindingPlaceLink releaseId={release.id} place={place} />
        </p>
        {finding.seenAt !== null && (
          <p className={classes['reason']}>
            From the examples that ran here, <When at={finding.seenAt} />.
          </p>
        )}
        {judgement !== null && <Judged judgement={judgement} version={release.version} />}
        {/* Whoever is writing a reason while somebody else judges goes on writing, and sees both. */}
        {isDismissing && <DismissForm release={release} finding={finding} onClose={close} />}
        {judgement === null && !isDismissing && (
          <p className={classes['actions']}>
            <Button size="xs" onClick={() => onDismiss(true)}>
              Judge harmless…
            </Button>
            <Button size="xs" onClick={() => quoteInReason(release.id, finding)}>
              Put into notes
            </Button>
          </p>
        )}
      </div>
    </li>
  )
}

const decisionWords = { approved: 'an approval', rejected: 'a rejection', revoked: 'a revocation' } as const

function quoteInReason(releaseId: number, finding: ListedFinding): void {
  const action = appendToReason(releaseId, findingSentence(finding))
  showToast({
    kind: 'done',
    subject: finding.title,
    text: `stands in the notes of ${decisionWords[action]}.`,
  })
}

function Judged({ judgement, version }: { judgement: Judgement; version: string }) {
  const withdraw = useReopenFinding()
  const isEarlier = judgement.version !== version
  return (
    <>
      <p className={classes['reason']}>
        Judged harmless {isEarlier && `in ${judgement.version} `}by {judgement.judgedBy}: “
        <PlainText text={judgement.reason} />
        ”.{isEarlier && ' Unchanged.'}{' '}
        <button
          type="button"
          className={classes['link']}
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate(judgement.id)}
        >
          Withdraw
        </button>
      </p>
      {withdraw.error !== null && (
        <p className={classes['problem']} role="alert">
          {asApiError(withdraw.error).message}
        </p>
      )}
    </>
  )
}
