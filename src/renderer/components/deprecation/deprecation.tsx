import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deskDeprecationRoutes, minDeprecationReason } from '../../../shared/contracts/release-states.ts'
import type { Deprecation } from '../../../shared/contracts/release-states.ts'
import { countCodePoints } from '../../../shared/text.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { asApiError, issueOf } from '../../lib/server/api-error.ts'
import { call } from '../../lib/server/client.ts'
import { withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { Badge, statuses } from '../feedback/status.tsx'
import { ActionForm } from '../form/action-form.tsx'
import { PlainText } from '../text/plain-text.tsx'
import classes from './deprecation.module.css'
import { texts } from './deprecation.texts.ts'

interface Release {
  name: string
  version: string
  status: string
  deprecation?: Deprecation | null | undefined
}

/** The label of a deprecated release. */
export function DeprecatedChip({ release }: { release: Release }) {
  return release.deprecation == null ? null : <Badge {...statuses.deprecated} chip text={texts.chip} />
}

/** Reason and successor of a deprecated release, and the buttons that deprecate an approved release and withdraw it. */
export function DeprecationPart({ release }: { release: Release }) {
  const [isOpen, setOpen] = useState(false)
  const { name, version, status, deprecation = null } = release
  const subject = `${name} ${version}`
  const withdraw = useChange(
    ['releases'],
    () => call(deskDeprecationRoutes.withdrawDeprecation, { params: { name, version } }),
    {
      onSuccess: () => showToast({ kind: 'done', subject, text: texts.withdrawn }),
      onError: (error) =>
        showToast({ kind: 'error', subject, text: texts.notWithdrawn(asApiError(error).message) }),
    },
  )
  if (status !== 'approved') return null
  if (isOpen) return <DeprecationForm release={release} onClose={() => setOpen(false)} />
  return (
    <>
      {deprecation !== null && (
        <p className={classes['text']}>
          <PlainText text={deprecation.reason} />
          {deprecation.successor !== null && ` ${texts.successor(deprecation.successor)}`}
        </p>
      )}
      <p className={classes['actions']} data-actions>
        <Button
          size="xs"
          aria-label={deprecation === null ? texts.deprecateLabel(subject) : texts.changeLabel(subject)}
          onClick={() => setOpen(true)}
        >
          {deprecation === null ? texts.deprecate : texts.change}
        </Button>
        {deprecation !== null && (
          <Button
            size="xs"
            aria-label={texts.withdrawLabel(subject)}
            loading={withdraw.isPending}
            onClick={() => withdraw.mutate(undefined)}
          >
            {texts.withdraw}
          </Button>
        )}
      </p>
    </>
  )
}

function DeprecationForm({ release, onClose }: { release: Release; onClose: () => void }) {
  const { name, version, deprecation } = release
  const subject = `${name} ${version}`
  const deprecate = useChange(
    ['releases'],
    withBody(deskDeprecationRoutes.deprecateRelease, { name, version }),
    {
      onSuccess() {
        showToast({ kind: 'done', subject, text: texts.deprecated })
        onClose()
      },
    },
  )
  const [reason, setReason] = useState(deprecation?.reason ?? '')
  const [successor, setSuccessor] = useState(deprecation?.successor ?? '')
  const focus = useFocus<HTMLTextAreaElement>()
  return (
    <ActionForm
      boxed
      label={texts.deprecateLabel(subject)}
      submit={texts.form.submit}
      onCancel={onClose}
      isReady={countCodePoints(reason.trim()) >= minDeprecationReason}
      change={deprecate}
      failed={texts.form.failed}
      fields={['reason', 'successor']}
      onSubmit={() => deprecate.mutate({ reason: reason.trim(), successor: successor.trim() || null })}
    >
      <Textarea
        ref={focus}
        label={texts.form.reason}
        description={texts.form.reasonHint}
        value={reason}
        autosize
        minRows={2}
        error={issueOf(deprecate.error, 'reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label={texts.form.successor}
        description={texts.form.successorHint}
        value={successor}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        error={issueOf(deprecate.error, 'successor')}
        onChange={(event) => setSuccessor(event.currentTarget.value)}
      />
      <p data-text="hint">{texts.form.effect}</p>
    </ActionForm>
  )
}
