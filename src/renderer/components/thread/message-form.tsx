import { ActionIcon, Button, Checkbox, Textarea } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { maxMessageLength } from '../../../shared/contracts/thread.ts'
import type { NewQuestion } from '../../../shared/contracts/thread.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'
import { ActionButton } from '../form/action-button.tsx'
import { asApiError } from '../../lib/server/api-error.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { useStore } from '../../lib/state/store.ts'
import { FieldLabel } from '../form/field-label.tsx'
import { PlainText } from '../text/plain-text.tsx'
import { forgetSent, openMessage, useMessageDraft } from './message-draft.ts'
import type { MessageDraft } from './message-draft.ts'
import { texts } from './thread.texts.ts'
import classes from './thread.module.css'

interface Props {
  releaseId: number
  label: string
  /** The label of the button. */
  send: string
  /** Whether the message may request changes. */
  mayRequestChanges: boolean
  /** Whether the release was decided in the meantime. */
  isClosed: boolean
  /** The queries to fetch again after a message was sent. */
  queryKey: QueryKey
  onSend: (message: NewQuestion) => Promise<unknown>
  /** Scrolls the form into view when it is opened. */
  reveal: (form: HTMLElement) => void
}

/** Writes a message. The draft survives new messages, other screens and reloads. */
export function MessageForm(props: Props) {
  const { releaseId, label, send, mayRequestChanges, isClosed, queryKey, onSend, reveal } = props
  const [draft, change] = useMessageDraft(releaseId)
  const { text, about, requestsChanges } = draft
  const [attempted, setAttempted] = useState(false)
  const { mutate, reset, error, isPending } = useChange(
    queryKey,
    ({ message }: { message: NewQuestion; draft: MessageDraft }) => onSend(message),
    {
      onSuccess(_reply, sent) {
        setAttempted(false)
        forgetSent(releaseId, sent.draft)
      },
    },
  )
  const field = useRef<HTMLTextAreaElement>(null)
  const [countId, problemId] = [useId(), useId()]
  const revealForm = useEffectEvent(reveal)
  const isRequested = useStore(openMessage) === releaseId
  useEffect(() => {
    if (!isRequested) return
    openMessage.set(null)
    field.current?.focus({ preventScroll: true })
    if (field.current?.form) revealForm(field.current.form)
  }, [isRequested])

  const problem = isClosed
    ? texts.form.closed
    : isBlank(text)
      ? texts.form.empty
      : countCodePoints(text.trim()) > maxMessageLength
        ? texts.form.tooLong(maxMessageLength)
        : null
  const submit = (): void => {
    setAttempted(true)
    if (problem !== null || isPending) return
    const sent =
      about === null || about.kind === 'finding'
        ? about && { kind: about.kind, fingerprint: about.fingerprint }
        : { kind: about.kind, index: about.index, name: about.name }
    mutate({ message: { text: text.trim(), about: sent, requestsChanges }, draft })
  }
  return (
    // Shortcuts of the form, whichever element in it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes['form']}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          submit()
        } else if (event.key === 'Escape') {
          event.preventDefault()
          event.currentTarget.closest('section')?.focus({ preventScroll: true })
        }
      }}
    >
      <Textarea
        ref={field}
        label={<FieldLabel text={label} used={[text, maxMessageLength]} countId={countId} />}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        aria-describedby={`${countId} ${problemId}`}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {about !== null && (
        <p className={classes['about']} data-text="hint">
          {texts.form.about} <PlainText text={about.label} />
          <ActionIcon size="xs" aria-label={texts.form.aboutNothing} onClick={() => change({ about: null })}>
            <IconX size={12} stroke={1.75} />
          </ActionIcon>
        </p>
      )}
      <p id={problemId} className={classes['problem']} role="alert">
        {error !== null && `${asApiError(error).message} ${texts.form.kept}`}
        {error === null && (attempted || isClosed) && problem}
      </p>
      <div className={classes['actions']} data-actions>
        <ActionButton
          type="submit"
          size="sm"
          loading={isPending}
          aria-disabled={problem !== null}
          keys="mod+Enter"
        >
          {send}
        </ActionButton>
        {mayRequestChanges && (
          <Checkbox
            size="sm"
            label={texts.form.requestChanges}
            checked={requestsChanges}
            onChange={(event) => change({ requestsChanges: event.currentTarget.checked })}
          />
        )}
        {(text !== '' || about !== null) && (
          <Button
            size="sm"
            onClick={() => {
              change(null)
              reset()
            }}
          >
            {texts.form.discard}
          </Button>
        )}
      </div>
    </form>
  )
}
