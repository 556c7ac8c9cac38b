import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { maxWebhookUrlCharacters } from '../../../../shared/contracts/desk-webhooks.ts'
import type { Webhook } from '../../../../shared/contracts/desk-webhooks.ts'
import { notificationEvents } from '../../../../shared/contracts/notifications.ts'
import { eventLabels } from '../../../../shared/notifications.texts.ts'
import { ActionForm } from '../../../components/form/action-form.tsx'
import type { Change } from '../../../components/form/action-form.tsx'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { issueOf } from '../../../lib/server/api-error.ts'
import { texts } from '../settings.texts.ts'
import classes from './webhooks.module.css'

const { webhooks: words } = texts

type WebhookFields = Pick<Webhook, 'url' | 'events'>

interface Props {
  title: string
  submit: string
  /** What could not be done, if the change has failed. */
  failed: string
  fields?: WebhookFields
  change: Change
  onSave: (fields: WebhookFields) => void
  onCancel: () => void
}

/** The URL and the events of a webhook. */
export function WebhookForm({ title, fields, onSave, ...form }: Props) {
  const [url, setUrl] = useState(fields?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(fields?.events ?? [])
  const focus = useFocus<HTMLInputElement>()
  return (
    <ActionForm
      className={classes['form']}
      label={title}
      isReady={url.trim() !== '' && events.length > 0}
      fields={['url']}
      onSubmit={() =>
        onSave({ url: url.trim(), events: notificationEvents.filter((one) => events.includes(one)) })
      }
      {...form}
    >
      <TextInput
        ref={focus}
        label={words.url}
        value={url}
        maxLength={maxWebhookUrlCharacters}
        spellCheck={false}
        placeholder="https://"
        error={issueOf(form.change.error, 'url')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox.Group label={words.events} value={[...events]} onChange={setEvents}>
        <div className={classes['events']}>
          {notificationEvents.map((event) => (
            <Checkbox key={event} value={event} label={eventLabels[event]} />
          ))}
        </div>
      </Checkbox.Group>
    </ActionForm>
  )
}
