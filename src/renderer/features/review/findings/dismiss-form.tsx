import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useDismissFinding } from './findings.api.ts'
import type { ListedFinding } from './findings-list.ts'
import { reveal } from '../sheet/sections.ts'
import classes from './findings.module.css'
import { countCodePoints, isBlank } from '../../../../shared/text.ts'

const minReason = 5
const maxReason = 500

interface Props {
  release: Pick<DeskRelease, 'id'>
  finding: ListedFinding
  onClose: () => void
}

/** Why a finding is harmless; Enter judges, Escape closes. */
export function DismissForm({ release, finding, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const judge = useDismissFinding(release.id)
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    if (form.current !== null) reveal(form.current)
  }, [])
  const length = countCodePoints(reason.trim())
  const problem =
    length < minReason || isBlank(reason)
      ? `Write at least ${minReason} characters.`
      : length > maxReason
        ? `Shorten it to ${maxReason} characters.`
        : null
  const error = judge.error === null ? (asked ? problem : null) : asApiError(judge.error).message
  return (
    // Escape is for this form wherever the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      className={classes['form']}
      aria-label={`Judge harmless: ${finding.title}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (problem !== null || judge.isPending) return
        const { fingerprint, check, seenAt } = finding
        judge.mutate(
          { fingerprint, reason: reason.trim(), check: seenAt === null ? null : check },
          { onSuccess: onClose },
        )
      }}
    >
      <TextInput
        ref={field}
        size="sm"
        label="Why it is harmless"
        description={error === null && 'Holds for later versions while nothing of it changes.'}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={reason}
        autoComplete="off"
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <p className={classes['actions']}>
        <Button type="submit" size="xs" loading={judge.isPending}>
          Judge harmless
        </Button>
        <Button size="xs" onClick={onClose} rightSection={<Keycap keys="Escape" quiet />}>
          Cancel
        </Button>
      </p>
    </form>
  )
}
