import { IconAlertOctagonFilled, IconAlertTriangle, IconChecks, IconInfoCircle } from '@tabler/icons-react'
import { severities } from '../../../../shared/contracts/findings.ts'
import type { JudgedFinding } from '../../../../shared/contracts/findings.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { listWords, plural } from '../../../lib/format.ts'
import classes from './own-findings.module.css'

const looks = {
  error: { Icon: IconAlertOctagonFilled, word: 'error' },
  warning: { Icon: IconAlertTriangle, word: 'warning' },
  note: { Icon: IconInfoCircle, word: 'note' },
} as const

/** What the checks found in an own release, why, and what to do about it; open while it can still help. */
export function OwnFindings({ findings, open }: { findings: readonly JudgedFinding[]; open: boolean }) {
  if (findings.length === 0) return null
  return (
    <details className={classes['findings']} open={open}>
      <summary>{summaryOf(findings)}</summary>
      <ul>
        {findings.map((finding) => (
          <OwnFinding key={`${finding.fingerprint} ${finding.check}`} finding={finding} />
        ))}
      </ul>
    </details>
  )
}

function OwnFinding({
  finding: { check, severity, title, reason, advice, place, judgement },
}: {
  finding: JudgedFinding
}) {
  const { Icon: Shape, word } = looks[severity]
  const Icon = judgement === null ? Shape : IconChecks
  return (
    <li className={classes['finding']} data-severity={judgement === null ? severity : undefined}>
      <Icon
        size={14}
        stroke={1.75}
        role="img"
        aria-label={judgement === null ? word : `${word}, judged harmless`}
      />
      <div>
        <p>
          <b>
            <PlainText text={title} />
          </b>{' '}
          <code>{place.kind === 'field' ? `${check}, ${place.field}` : check}</code>
        </p>
        <p className={classes['reason']}>
          <PlainText text={reason} />{' '}
          {judgement === null ? (
            <PlainText text={advice} />
          ) : (
            <>
              Judged harmless by {judgement.judgedBy}: “<PlainText text={judgement.reason} />”
            </>
          )}
        </p>
      </div>
    </li>
  )
}

/** `3 findings: 1 error, 1 warning and 1 judged harmless` */
function summaryOf(findings: readonly JudgedFinding[]): string {
  const count = (severity: JudgedFinding['severity']): number =>
    findings.filter((finding) => finding.judgement === null && finding.severity === severity).length
  const judged = findings.filter(({ judgement }) => judgement !== null).length
  const parts = severities.flatMap((severity) => {
    const open = count(severity)
    return open === 0 ? [] : [plural(open, severity)]
  })
  if (judged > 0) parts.push(`${judged} judged harmless`)
  return `${plural(findings.length, 'finding')}: ${listWords(parts)}`
}
