import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { minDismissalReason, maxDismissalReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useDismissFinding } from '../review.api.ts'
import type { ListedFinding } from './findings-list.ts'
import { reveal } from '../sheet/sections.ts'
import { texts } from '../review.texts.ts'
import classes from './findings.module.css'
import { countCodePoints, isBlank } from '../../../../shared/text.ts'

interface Props {
  release: Pick<DeskRelease, 'id'>
  finding: ListedFinding
  onClose: () => void
}

/** Asks for the reason for a dismissal. Enter submits, Escape closes. */
export function DismissForm({ release, finding, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [showProblem, setShowProblem] = useState(false)
  const dismiss = useDismissFinding(release.id)
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    if (form.current !== null) reveal(form.current)
  }, [])
  const length = countCodePoints(reason.trim())
  const problem =
    length < minDismissalReason || isBlank(reason)
      ? texts.findings.form.tooShort(minDismissalReason)
      : length > maxDismissalReason
        ? texts.findings.form.tooLong(maxDismissalReason)
        : null
  const error = dismiss.error === null ? (showProblem ? problem : null) : asApiError(dismiss.error).message
  return (
    // Escape closes the form, whichever element in it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      className={classes['form']}
      aria-label={texts.findings.form.label(finding.title)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        setShowProblem(true)
        if (problem !== null || dismiss.isPending) return
        const { fingerprint, check, seenAt } = finding
        dismiss.mutate(
          { fingerprint, reason: reason.trim(), check: seenAt === null ? null : check },
          { onSuccess: onClose },
        )
      }}
    >
      <TextInput
        ref={field}
        size="sm"
        label={texts.findings.form.reason}
        description={error === null && texts.findings.form.hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={reason}
        autoComplete="off"
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <p className={classes['actions']} data-actions>
        <Button type="submit" size="xs" loading={dismiss.isPending}>
          {texts.findings.form.submit}
        </Button>
        <ActionButton size="xs" onClick={onClose} keys="Escape">
          {texts.findings.form.cancel}
        </ActionButton>
      </p>
    </form>
  )
}
