import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useRef } from 'react'
import { severityLooks } from '../../../components/feedback/severity-looks.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { FindingPlace, Judgement } from '../../../../shared/contracts/findings.ts'
import { placeLabel } from '../../../../shared/findings/place-label.ts'
import { beginMessage } from '../../../components/thread/message-draft.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useReopenFinding } from '../review.api.ts'
import { findingSentence } from './findings-list.ts'
import type { ListedFinding } from './findings-list.ts'
import { appendToReason } from '../decision/reason-draft.ts'
import { showInModule } from '../module/show-in-module.ts'
import { fieldId, jumpTo } from '../sheet/sections.ts'
import { texts } from '../review.texts.ts'
import classes from './findings.module.css'
import { DismissForm } from './dismiss-form.tsx'

interface Props {
  release: Pick<DeskRelease, 'id' | 'version'>
  /** Whether the publisher can be asked about it. */
  mayAsk: boolean
  finding: ListedFinding
  isDismissing: boolean
  onDismiss: (open: boolean) => void
}

/** One finding: title, reason, advice and place, with its dismissal if there is one. */
export function FindingItem({ release, mayAsk, finding, isDismissing, onDismiss }: Props) {
  const item = useRef<HTMLLIElement>(null)
  const { check, severity, title, reason, advice, place, judgement } = finding
  const { Icon, tone } = severityLooks[severity]
  const word = texts.findings.severity[severity]
  const label = judgement === null ? word : texts.findings.dismissedSeverity(word)
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
      aria-label={texts.findings.item(label, title)}
    >
      {judgement === null ? (
        <Icon size={16} stroke={1.75} role="img" aria-label={label} data-ink={tone} />
      ) : (
        <IconChecks size={16} stroke={1.75} role="img" aria-label={label} />
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
            {texts.findings.fromRuns} <When at={finding.seenAt} />.
          </p>
        )}
        {judgement !== null && <Dismissal judgement={judgement} version={release.version} />}
        {/* Stays open when another reviewer dismisses the finding in the meantime; both are shown. */}
        {isDismissing && <DismissForm release={release} finding={finding} onClose={close} />}
        {judgement === null && !isDismissing && (
          <p className={classes['actions']} data-actions>
            <Button size="xs" onClick={() => onDismiss(true)}>
              {texts.findings.dismiss}
            </Button>
            <Button size="xs" onClick={() => quoteInReason(release.id, finding)}>
              {texts.findings.quote}
            </Button>
            {/* The server does not know the findings of test runs. */}
            {mayAsk && finding.seenAt === null && (
              <Button
                size="xs"
                onClick={() =>
                  beginMessage(release.id, {
                    kind: 'finding',
                    fingerprint: finding.fingerprint,
                    label: title,
                  })
                }
              >
                {texts.conversation.open}
              </Button>
            )}
          </p>
        )}
      </div>
    </li>
  )
}

/** The place of a finding, as a link to the manifest field or to the bytes of the module. */
function FindingPlaceLink({ releaseId, place }: { releaseId: number; place: FindingPlace }) {
  if (place.kind === 'module') return <span>{placeLabel(place)}.</span>
  const show = (): void => {
    if (place.kind === 'field') jumpTo(fieldId(place.field))
    else showInModule({ releaseId, offset: place.offset, length: place.length })
  }
  return (
    <TextButton inline onClick={show}>
      {placeLabel(place)}
    </TextButton>
  )
}

function quoteInReason(releaseId: number, finding: ListedFinding): void {
  const action = appendToReason(releaseId, findingSentence(finding))
  showToast({
    kind: 'done',
    subject: finding.title,
    text: texts.findings.quoted[action],
  })
}

function Dismissal({ judgement, version }: { judgement: Judgement; version: string }) {
  const reopen = useReopenFinding()
  const isEarlier = judgement.version !== version
  return (
    <>
      <p className={classes['reason']}>
        {texts.findings.dismissedBy(judgement.judgedBy, isEarlier ? judgement.version : null)} “
        <PlainText text={judgement.reason} />
        ”.{isEarlier && ` ${texts.findings.unchanged}`}{' '}
        <TextButton inline disabled={reopen.isPending} onClick={() => reopen.mutate(judgement.id)}>
          {texts.findings.reopen}
        </TextButton>
      </p>
      {reopen.error !== null && (
        <p className={classes['problem']} role="alert">
          {asApiError(reopen.error).message}
        </p>
      )}
    </>
  )
}
