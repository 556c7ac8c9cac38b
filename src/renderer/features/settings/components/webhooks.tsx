import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { ShownOnce } from '../../../components/form/shown-once.tsx'
import { texts } from '../settings.texts.ts'
import { useCreateWebhook, webhooksQuery } from '../webhooks.api.ts'
import own from './app-preferences.module.css'
import form from './setting-group-form.module.css'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookItem } from './webhook-item.tsx'
import classes from './webhooks.module.css'

const { webhooks: words } = texts

/** The webhooks of the registry, each with its deliveries. */
export function Webhooks() {
  const webhooks = useQuery(webhooksQuery)
  const create = useCreateWebhook()
  const [creating, setCreating] = useState(false)
  const open = (): void => {
    create.reset()
    setCreating(true)
  }
  return (
    <div className={form['form']}>
      <Region name="sheet" className={form['body']}>
        <header className={classes['head']}>
          <h2>{words.title}</h2>
          <ActionButton size="sm" icon={IconPlus} onClick={open}>
            {words.new}
          </ActionButton>
        </header>
        <p className={form['lead']}>{words.lead}</p>
        {create.data !== undefined && (
          <ShownOnce
            kind="secret"
            title={words.created(create.data.webhook.url)}
            text={create.data.secret}
            onDone={() => create.reset()}
          >
            <p>{words.secretHint}</p>
          </ShownOnce>
        )}
        {creating && (
          <WebhookForm
            title={words.formTitle.new}
            submit={words.create}
            failed={words.createFailed}
            change={create}
            onSave={(fields) => create.mutate(fields, { onSuccess: () => setCreating(false) })}
            onCancel={() => setCreating(false)}
          />
        )}
        <Loading query={webhooks} rows={2} height={72} what={words.what} failed={words.loadFailed} />
        {webhooks.data?.items.length === 0 && !creating && <p className={classes['none']}>{words.none}</p>}
        <ul className={classes['list']} aria-label={words.title}>
          {webhooks.data?.items.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      </Region>
      <div className={own['toasts']}>
        <ToastArea />
      </div>
    </div>
  )
}
