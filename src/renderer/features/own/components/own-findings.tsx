import { IconChecks } from '@tabler/icons-react'
import { severities } from '../../../../shared/contracts/findings.ts'
import type { Finding, JudgedFinding } from '../../../../shared/contracts/findings.ts'
import { severityLooks } from '../../../components/feedback/severity-looks.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { plural } from '../../../lib/format.ts'
import { texts } from '../own.texts.ts'
import classes from './own-findings.module.css'

/** A finding, with its dismissal unless it was recorded with a rejection. */
type Shown = Finding & Partial<Pick<JudgedFinding, 'judgement'>>

interface Props {
  findings: readonly Shown[]
  /** Whether they are those that were open when the release was rejected. */
  isRejection: boolean
  open: boolean
}

/** The findings of a release with reasons and advice, for its publisher. */
export function OwnFindings({ findings, isRejection, open }: Props) {
  if (findings.length === 0) return null
  return (
    <details className={classes['findings']} open={open}>
      <summary>{isRejection ? texts.findings.rejectedFor(summaryOf(findings)) : summaryOf(findings)}</summary>
      <ul>
        {findings.map((finding) => (
          <OwnFinding key={`${finding.fingerprint} ${finding.check}`} finding={finding} />
        ))}
      </ul>
    </details>
  )
}

function OwnFinding({
  finding: { check, severity, title, reason, advice, place, fingerprint, judgement = null },
}: {
  finding: Shown
}) {
  const { Icon, tone } = judgement === null ? severityLooks[severity] : { Icon: IconChecks, tone: 'calm' }
  const word = texts.findings.severity[severity]
  return (
    <li className={classes['finding']} data-finding={fingerprint} tabIndex={-1}>
      <Icon
        size={14}
        stroke={1.75}
        data-ink={tone}
        role="img"
        aria-label={judgement === null ? word : texts.findings.dismissedSeverity(word)}
      />
      <div>
        <p>
          <b>
            <PlainText text={title} />
          </b>{' '}
          <code>{place.kind === 'field' ? `${check}, ${place.field}` : check}</code>
        </p>
        <p className={classes['reason']} data-text="hint">
          <PlainText text={reason} />{' '}
          {judgement === null ? (
            <>
              {texts.findings.advice} <PlainText text={advice} />
            </>
          ) : (
            <>
              {texts.findings.dismissedBy(judgement.judgedBy)} “<PlainText text={judgement.reason} />”
            </>
          )}
        </p>
      </div>
    </li>
  )
}

/** `3 findings: 1 error, 1 warning and 1 dismissed` */
function summaryOf(findings: readonly Shown[]): string {
  const count = (severity: Finding['severity']): number =>
    findings.filter((finding) => (finding.judgement ?? null) === null && finding.severity === severity).length
  const dismissed = findings.filter(({ judgement = null }) => judgement !== null).length
  const parts = severities.flatMap((severity) => {
    const open = count(severity)
    return open === 0 ? [] : [plural(open, severity)]
  })
  if (dismissed > 0) parts.push(texts.findings.dismissed(dismissed))
  return texts.findings.summary(findings.length, parts)
}
