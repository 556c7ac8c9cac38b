import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  JobIdentity,
  NewJobIdentity,
  TrustedPublisher,
} from '../../../../shared/contracts/trusted-publishers.ts'
import { jobIdentityText } from '../../../../shared/job-texts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ActionForm } from '../../../components/form/action-form.tsx'
import { TextButton } from '../../../components/form/text-button.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { issueOf } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { publishersQuery, useAddPublisher, useRemovePublisher } from '../names.api.ts'
import { texts } from '../own.texts.ts'
import classes from './own-names.module.css'

const { trust: text } = texts

type Provider = JobIdentity['provider']
type Field = keyof typeof text.fields

/** The fields of the form, and which may be empty. Further claims can be given to the API. */
const fieldsOf: Record<Provider, readonly Field[]> = {
  github: ['repository', 'workflow', 'environment'],
  gitlab: ['project', 'branch', 'environment', 'issuer'],
  openid: ['issuer', 'subject', 'audience'],
}
const optional: Record<Provider, readonly Field[]> = {
  github: ['environment'],
  gitlab: ['branch', 'environment', 'issuer'],
  openid: ['audience'],
}
const providers = Object.keys(fieldsOf) as Provider[]

/** The jobs that may publish a name without a stored token, and the form to add them. */
export function TrustedPublishers({ name, onClose }: { name: string; onClose: () => void }) {
  const query = useQuery(publishersQuery(name))
  return (
    <section className={classes['trust']} aria-label={text.title(name)}>
      <p className={classes['hint']}>{text.hint(name)}</p>
      <Loading query={query} what={text.what} failed={text.loadFailed} rows={1} />
      {query.data?.items.length === 0 && <p className={classes['facts']}>{text.none}</p>}
      <ul>
        {query.data?.items.map((publisher) => (
          <Publisher key={publisher.id} name={name} publisher={publisher} />
        ))}
      </ul>
      <PublisherForm name={name} onClose={onClose} />
    </section>
  )
}

function Publisher({ name, publisher }: { name: string; publisher: TrustedPublisher }) {
  const { id, identity, addedBy, addedAt } = publisher
  const jobs = jobIdentityText(identity)
  const remove = useRemovePublisher(name, id, () =>
    showToast({ kind: 'done', subject: name, text: text.removed }),
  )
  return (
    <li className={classes['facts']}>
      <strong>
        <PlainText text={jobs} />
      </strong>{' '}
      {text.added(addedBy.publisher, formatFullDate(addedAt))}{' '}
      <TextButton
        aria-label={text.removeLabel(jobs)}
        disabled={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        {text.remove}
      </TextButton>
      {remove.error !== null && <Failure error={remove.error} what={text.removeFailed} />}
    </li>
  )
}

function PublisherForm({ name, onClose }: { name: string; onClose: () => void }) {
  const [provider, setProvider] = useState<Provider>('github')
  const [values, setValues] = useState<Partial<Record<Field, string>>>({})
  const add = useAddPublisher(name, () => {
    showToast({ kind: 'done', subject: name, text: text.done })
    setValues({})
  })
  const focus = useFocus<HTMLSelectElement>()
  const fields = fieldsOf[provider]
  const filled = fields.filter((field) => (values[field] ?? '').trim() !== '')
  return (
    <ActionForm
      boxed
      className={classes['form']}
      label={text.addLabel(name)}
      submit={text.submit}
      cancel={text.close}
      onCancel={onClose}
      isReady={fields.every((field) => filled.includes(field) || optional[provider].includes(field))}
      change={add}
      failed={text.failed}
      fields={fields}
      onSubmit={() => {
        const given = Object.fromEntries(filled.map((field) => [field, values[field]?.trim()]))
        add.mutate({ provider, ...given } as NewJobIdentity)
      }}
    >
      <NativeSelect
        ref={focus}
        label={text.provider}
        value={provider}
        data={providers.map((value) => ({ value, label: text.providers[value] }))}
        onChange={(event) => setProvider(event.currentTarget.value as Provider)}
      />
      {fields.map((field) => (
        <TextInput
          key={field}
          label={
            optional[provider].includes(field)
              ? text.optional(text.fields[field].label)
              : text.fields[field].label
          }
          description={text.fields[field].hint}
          value={values[field] ?? ''}
          maxLength={500}
          spellCheck={false}
          autoComplete="off"
          error={issueOf(add.error, field)}
          onChange={(event) => setValues({ ...values, [field]: event.currentTarget.value })}
        />
      ))}
    </ActionForm>
  )
}
