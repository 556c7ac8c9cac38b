import { Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  deskOwnerRoutes,
  maxRecipientCharacters,
  maxTransferReason,
  minTransferReason,
} from '../../../../shared/contracts/owners.ts'
import type { NameOwner } from '../../../../shared/contracts/owners.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ActionForm } from '../../../components/form/action-form.tsx'
import { When } from '../../../components/list/when.tsx'
import { Section } from '../../../components/section.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { useMay } from '../../../lib/app/areas.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { issueOf } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { nameOwnersQuery, useTransferName } from '../review.api.ts'
import { texts } from '../review.texts.ts'
import classes from './name-owners.module.css'

const { owners: text } = texts

/** The owners of a name, and the transfer by an administrator. */
export function NameOwners({ name }: { name: string }) {
  const query = useQuery(nameOwnersQuery(name))
  const [isOpen, setOpen] = useState(false)
  const mayTransfer = useMay(deskOwnerRoutes.transferName.access)
  const owners = query.data?.owners ?? []
  const offers = query.data?.offers ?? []
  return (
    <Section
      title={text.title}
      note={
        mayTransfer && (
          <Button size="xs" aria-label={text.transferLabel(name)} onClick={() => setOpen(true)}>
            {text.transfer}
          </Button>
        )
      }
    >
      {query.error !== null && (
        <Failure error={query.error} what={text.loadFailed} retry={() => void query.refetch()} />
      )}
      {isOpen && <TransferForm name={name} onClose={() => setOpen(false)} />}
      <ul>
        {owners.map((owner) => (
          <Owner key={owner.id} owner={owner} />
        ))}
        {offers.map(({ id, kind, from, to, expiresAt }) => (
          <li key={id} className={classes['owner']}>
            <p>{text.offer[kind](from.publisher, to.publisher, formatFullDate(expiresAt))}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Owner({ owner }: { owner: NameOwner }) {
  const { person, removed, since, addedBy, reason } = owner
  return (
    <li className={classes['owner']}>
      <p>
        {person.publisher}
        {removed && ` ${text.removed}`} {text.since} <When at={since} />
        {addedBy.id !== person.id && ` ${text.addedBy(addedBy.publisher)}`}
      </p>
      {reason !== null && (
        <p className={classes['reason']} data-text="hint">
          <PlainText text={reason} />
        </p>
      )}
    </li>
  )
}

function TransferForm({ name, onClose }: { name: string; onClose: () => void }) {
  const transfer = useTransferName(name)
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const focus = useFocus<HTMLInputElement>()
  return (
    <ActionForm
      boxed
      label={text.transferLabel(name)}
      submit={text.form.submit}
      color="red"
      onCancel={onClose}
      isReady={to.trim() !== '' && reason.trim().length >= minTransferReason}
      change={transfer}
      failed={text.form.failed}
      fields={['to', 'reason']}
      onSubmit={() =>
        transfer.mutate(
          { to: to.trim(), reason: reason.trim() },
          {
            onSuccess: () => {
              showToast({ kind: 'done', subject: name, text: text.transferred })
              onClose()
            },
          },
        )
      }
    >
      <TextInput
        ref={focus}
        label={text.form.to}
        description={text.form.toHint}
        value={to}
        maxLength={maxRecipientCharacters}
        spellCheck={false}
        autoComplete="off"
        error={issueOf(transfer.error, 'to')}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Textarea
        label={text.form.reason}
        description={text.form.reasonHint}
        value={reason}
        maxLength={maxTransferReason}
        autosize
        minRows={2}
        error={issueOf(transfer.error, 'reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <p className={classes['reason']} data-text="hint">
        {text.form.effect}
      </p>
    </ActionForm>
  )
}
