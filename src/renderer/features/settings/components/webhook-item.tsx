import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Webhook } from '../../../../shared/contracts/desk-webhooks.ts'
import { eventLabels } from '../../../../shared/notifications.texts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { ConfirmButtons } from '../../../components/form/confirm-buttons.tsx'
import { ShownOnce } from '../../../components/form/shown-once.tsx'
import { TextButton } from '../../../components/form/text-button.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { texts } from '../settings.texts.ts'
import { useDeleteWebhook, useRotateSecret, useTestWebhook, useUpdateWebhook } from '../webhooks.api.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { WebhookForm } from './webhook-form.tsx'
import classes from './webhooks.module.css'

const { webhooks: words, deliveries } = texts

/** A webhook with what can be done with it. */
export function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { id, url, events, disabledAt } = webhook
  const update = useUpdateWebhook(id)
  const remove = useDeleteWebhook(id)
  const rotate = useRotateSecret(id)
  const test = useTestWebhook(id)
  const [mode, setMode] = useState<'shown' | 'edited' | 'deleted'>('shown')
  const [isOpen, setIsOpen] = useState(false)
  const error = rotate.error ?? test.error ?? remove.error ?? (mode === 'edited' ? null : update.error)
  if (mode === 'edited') {
    return (
      <li className={classes['item']}>
        <WebhookForm
          title={words.formTitle.edit}
          submit={words.save}
          failed={words.changeFailed}
          fields={webhook}
          change={update}
          onSave={(fields) => update.mutate(fields, { onSuccess: () => setMode('shown') })}
          onCancel={() => setMode('shown')}
        />
      </li>
    )
  }
  const button = (label: string, onClick: () => void) => (
    <Button size="sm" aria-label={words.of(label, url)} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <li className={classes['item']}>
      <div className={classes['line']}>
        <code>{url}</code>
        <span data-actions>
          {mode === 'deleted' ? (
            <ConfirmButtons
              size="sm"
              confirm={words.deleteNow}
              sending={remove.isPending}
              onConfirm={() => remove.mutate(undefined)}
              onCancel={() => setMode('shown')}
            />
          ) : (
            <>
              {disabledAt === null &&
                button(words.test, () =>
                  test.mutate(undefined, {
                    onSuccess() {
                      setIsOpen(true)
                      showToast({ kind: 'done', subject: url, text: words.testQueued })
                    },
                  }),
                )}
              {button(words.edit, () => {
                update.reset()
                setMode('edited')
              })}
              {button(words.rotate, () => rotate.mutate(undefined))}
              {button(disabledAt === null ? words.disable : words.enable, () =>
                update.mutate({ enabled: disabledAt !== null }),
              )}
              {button(words.delete, () => setMode('deleted'))}
            </>
          )}
        </span>
      </div>
      <p className={classes['facts']} data-text="hint">
        {events.map((event) => eventLabels[event]).join(', ')}
      </p>
      <p className={classes['facts']} data-text="hint">
        <State webhook={webhook} />
        {webhook.pending > 0 && <span>{words.waiting(webhook.pending)}</span>}
        <TextButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? deliveries.hide : deliveries.show}
        </TextButton>
      </p>
      {error !== null && <Failure error={error} what={words.changeFailed} />}
      {rotate.data !== undefined && (
        <ShownOnce
          kind="secret"
          title={words.created(url)}
          text={rotate.data.secret}
          onDone={() => rotate.reset()}
        >
          <p>{words.rotatedHint}</p>
        </ShownOnce>
      )}
      {isOpen && <DeliveryTable id={id} recipient={url} />}
    </li>
  )
}

function State({ webhook: { disabledAt, lastStatus } }: { webhook: Webhook }) {
  const { states } = words
  if (disabledAt !== null) {
    return (
      <Badge
        tone="warn"
        text={
          <>
            {states.disabled} <When at={disabledAt} ago />
          </>
        }
      />
    )
  }
  if (lastStatus === 'delivered') return <Badge tone="ok" text={states.delivered} />
  if (lastStatus === 'failed') return <Badge tone="bad" text={states.failed} />
  return <Badge text={states.unused} />
}
