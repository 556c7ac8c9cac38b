import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import type { OwnNotifications as Notifications } from '../../../../shared/contracts/desk-notifications.ts'
import { maxMailAddressCharacters, notificationEvents } from '../../../../shared/contracts/notifications.ts'
import type { NotificationEvent } from '../../../../shared/contracts/notifications.ts'
import { eventLabels } from '../../../../shared/notifications.texts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ActionForm } from '../../../components/form/action-form.tsx'
import type { Change } from '../../../components/form/action-form.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { Section } from '../../../components/section.tsx'
import { issueOf } from '../../../lib/server/api-error.ts'
import {
  ownNotificationsQuery,
  useChooseEvents,
  useRemoveAddress,
  useSetAddress,
  useVerifyAddress,
} from '../own.api.ts'
import { texts } from '../own.texts.ts'
import classes from './own-notifications.module.css'
import panel from './panel.module.css'

const { notifications: words } = texts

/** The e-mail notifications of the signed-in person. Not shown until an administrator has set up e-mail. */
export function OwnNotifications() {
  const { data, error, refetch } = useQuery(ownNotificationsQuery)
  const [isChanging, setIsChanging] = useState(false)
  if (data !== undefined && !data.isAvailable && data.address === null) return null
  if (data === undefined && error === null) return null
  return (
    <Section title={words.title}>
      {data === undefined ? (
        <Failure error={error} what={words.loadFailed} retry={() => void refetch()} />
      ) : data.address === null || isChanging ? (
        <AddressForm
          address={data.address ?? ''}
          onCancel={isChanging ? () => setIsChanging(false) : undefined}
          onSaved={() => setIsChanging(false)}
        />
      ) : data.verifiedAt === null ? (
        <CodeForm address={data.address} onChange={() => setIsChanging(true)} />
      ) : (
        <Choices notifications={data} address={data.address} onChange={() => setIsChanging(true)} />
      )}
    </Section>
  )
}

interface AddressFormProps {
  address: string
  onCancel: (() => void) | undefined
  onSaved: () => void
}

function AddressForm({ address, onCancel, onSaved }: AddressFormProps) {
  const set = useSetAddress()
  const [typed, setTyped] = useState(address)
  return (
    <FieldForm
      label={words.address}
      type="email"
      hint={words.addressHint}
      submit={words.send}
      path="address"
      change={set}
      value={typed}
      onType={setTyped}
      onSubmit={() => set.mutate({ address: typed.trim() }, { onSuccess: onSaved })}
      onCancel={onCancel}
    />
  )
}

function CodeForm({ address, onChange }: { address: string; onChange: () => void }) {
  const set = useSetAddress()
  const verify = useVerifyAddress()
  const [code, setCode] = useState('')
  return (
    <FieldForm
      label={words.code}
      hint={words.codeHint(address)}
      submit={words.verify}
      path="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      change={{ isPending: verify.isPending, error: verify.error ?? set.error }}
      value={code}
      onType={setCode}
      onSubmit={() => verify.mutate({ code: code.trim() })}
    >
      <Button
        loading={set.isPending}
        onClick={() => {
          verify.reset()
          set.mutate({ address })
        }}
      >
        {words.sendAgain}
      </Button>
      <Button onClick={onChange}>{words.change}</Button>
    </FieldForm>
  )
}

interface FieldFormProps extends Pick<
  ComponentProps<typeof TextInput>,
  'type' | 'inputMode' | 'autoComplete' | 'value'
> {
  label: string
  hint: string
  submit: string
  /** The path of the field's problems. */
  path: string
  change: Change
  onType: (text: string) => void
  onSubmit: () => void
  onCancel?: (() => void) | undefined
  /** Further buttons. */
  children?: ReactNode
}

/** A form with one field. */
function FieldForm(props: FieldFormProps) {
  const { label, hint, submit, path, change, onType, onSubmit, onCancel, children, ...field } = props
  return (
    <ActionForm
      className={classes['form']}
      submit={submit}
      change={change}
      failed={words.saveFailed}
      fields={[path]}
      more={children}
      onSubmit={onSubmit}
      onCancel={onCancel}
    >
      <p className={panel['text']}>{hint}</p>
      <TextInput
        {...field}
        label={label}
        spellCheck={false}
        maxLength={maxMailAddressCharacters}
        error={issueOf(change.error, path)}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </ActionForm>
  )
}

interface ChoicesProps {
  notifications: Notifications
  address: string
  onChange: () => void
}

/** The events that the person can choose. Each choice is saved at once. */
function Choices({ notifications, address, onChange }: ChoicesProps) {
  const choose = useChooseEvents()
  const remove = useRemoveAddress()
  /** Shown until the server has replied. */
  const [chosen, setChosen] = useState<NotificationEvent[] | null>(null)
  const error = choose.error ?? remove.error
  return (
    <>
      <div className={classes['address']}>
        <b>{address}</b>
        <Badge tone="ok" text={words.verified} />
        <span data-actions>
          <Button size="xs" onClick={onChange}>
            {words.change}
          </Button>
          <Button size="xs" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {words.remove}
          </Button>
        </span>
      </div>
      <Checkbox.Group
        label={words.events}
        value={chosen ?? notifications.events}
        onChange={(checked) => {
          const events = notificationEvents.filter((event) => checked.includes(event))
          setChosen(events)
          choose.mutate({ events }, { onSettled: () => setChosen(null) })
        }}
      >
        <div className={classes['events']}>
          {notifications.available.map((event) => (
            <Checkbox key={event} value={event} label={eventLabels[event]} />
          ))}
        </div>
      </Checkbox.Group>
      <p className={panel['text']}>{words.ownReleases}</p>
      {error !== null && <Failure error={error} what={words.saveFailed} />}
    </>
  )
}
