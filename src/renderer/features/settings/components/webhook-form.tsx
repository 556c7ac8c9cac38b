import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notificationEvents } from '../../../../shared/contracts/notifications.ts'
import { eventLabels } from '../../../../shared/notifications.texts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { asApiError, issueOf } from '../../../lib/server/api-error.ts'
import { texts } from '../settings.texts.ts'
import type { WebhookFields } from '../webhooks.api.ts'
import classes from './webhooks.module.css'

const { webhooks: words } = texts

interface Props {
  title: string
  submit: string
  /** What could not be done, if `error` is not null. */
  failed: string
  fields?: WebhookFields
  error: unknown
  sending: boolean
  onSave: (fields: WebhookFields) => void
  onCancel: () => void
}

/** The URL and the events of a webhook. */
export function WebhookForm(props: Props) {
  const { title, submit, failed, fields, sending, onSave, onCancel } = props
  const [url, setUrl] = useState(fields?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(fields?.events ?? [])
  const focus = useFocus<HTMLInputElement>()
  const error = props.error === null ? null : asApiError(props.error)
  const urlIssue = issueOf(error, 'url')
  const isReady = url.trim() !== '' && events.length > 0 && !sending
  return (
    <form
      className={classes['form']}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        const chosen = notificationEvents.filter((one) => events.includes(one))
        if (isReady) onSave({ url: url.trim(), events: chosen })
      }}
    >
      <TextInput
        ref={focus}
        label={words.url}
        value={url}
        maxLength={2000}
        spellCheck={false}
        placeholder="https://"
        error={urlIssue}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox.Group label={words.events} value={[...events]} onChange={setEvents}>
        <div className={classes['events']}>
          {notificationEvents.map((event) => (
            <Checkbox key={event} value={event} label={eventLabels[event]} />
          ))}
        </div>
      </Checkbox.Group>
      {error !== null && urlIssue === undefined && <Failure error={error} what={failed} />}
      <div className={classes['actions']}>
        <Button type="submit" variant="filled" disabled={!isReady} loading={sending}>
          {submit}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </form>
  )
}
