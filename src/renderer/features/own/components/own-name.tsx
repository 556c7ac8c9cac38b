import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { maxRecipientCharacters } from '../../../../shared/contracts/owners.ts'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { OfferKind, OwnerOffer, OwnName } from '../../../../shared/contracts/owners.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ActionForm } from '../../../components/form/action-form.tsx'
import { TextButton } from '../../../components/form/text-button.tsx'
import { listWords } from '../../../lib/format.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { issueOf } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { useAnswerOffer, useLeaveName, useMakeOffer } from '../names.api.ts'
import { texts } from '../own.texts.ts'
import { TrustedPublishers } from './trusted-publishers.tsx'
import classes from './own-names.module.css'

const { names: text } = texts

/** A name with its owners and open offers, its trusted publishers, and the forms to make an offer and to leave. */
export function OwnNameItem({ own, me }: { own: OwnName; me: DeskPerson }) {
  const { name, owners, offers, latest } = own
  const [open, setOpen] = useState<'offer' | 'leave' | 'trust' | null>(null)
  const close = (): void => setOpen(null)
  const others = owners.filter(({ id }) => id !== me.id).map(({ publisher }) => publisher)
  return (
    <li className={classes['name']}>
      <div className={classes['head']}>
        <h2 data-mono>{name}</h2>
        <span>{others.length === 0 ? text.onlyYou : text.with(listWords(others))}</span>
        <span data-actions>
          <Button size="sm" aria-label={texts.trust.title(name)} onClick={() => setOpen('trust')}>
            {texts.trust.open}
          </Button>
          <Button size="sm" aria-label={text.offerLabel(name)} onClick={() => setOpen('offer')}>
            {text.offer}
          </Button>
          {others.length > 0 && (
            <Button size="sm" aria-label={text.leaveLabel(name)} onClick={() => setOpen('leave')}>
              {text.leave}
            </Button>
          )}
        </span>
      </div>
      {latest !== null && (
        <p className={classes['facts']}>{text.latest(latest.version, latest.status, latest.publisher)}</p>
      )}
      {offers.map((offer) => (
        <MadeOffer key={offer.id} offer={offer} />
      ))}
      {open === 'offer' && <OfferForm name={name} onClose={close} />}
      {open === 'trust' && <TrustedPublishers name={name} onClose={close} />}
      {open === 'leave' && <LeaveForm name={name} onClose={close} />}
    </li>
  )
}

function MadeOffer({ offer }: { offer: OwnerOffer }) {
  const { id, name, kind, from, to, expiresAt } = offer
  const withdraw = useAnswerOffer(id, () => showToast({ kind: 'done', subject: name, text: text.withdrawn }))
  return (
    <>
      <p className={classes['facts']}>
        {text.made[kind](from.publisher, to.publisher, formatFullDate(expiresAt))}{' '}
        <TextButton
          aria-label={text.withdrawLabel(name, to.publisher)}
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate({ answer: 'withdrawn' })}
        >
          {text.withdraw}
        </TextButton>
      </p>
      {withdraw.error !== null && <Failure error={withdraw.error} what={text.withdrawFailed} />}
    </>
  )
}

function OfferForm({ name, onClose }: { name: string; onClose: () => void }) {
  const make = useMakeOffer(name, (offer) => {
    showToast({ kind: 'done', subject: name, text: text.offered(offer.to.publisher) })
    onClose()
  })
  const [to, setTo] = useState('')
  const [kind, setKind] = useState<OfferKind>('co-owner')
  const focus = useFocus<HTMLInputElement>()
  return (
    <ActionForm
      boxed
      className={classes['form']}
      label={text.offerLabel(name)}
      submit={text.form.submit}
      onCancel={onClose}
      isReady={to.trim() !== ''}
      change={make}
      failed={text.form.failed}
      fields={['to']}
      onSubmit={() => make.mutate({ kind, to: to.trim() })}
    >
      <TextInput
        ref={focus}
        label={text.form.to}
        description={text.form.toHint}
        value={to}
        maxLength={maxRecipientCharacters}
        spellCheck={false}
        autoComplete="off"
        error={issueOf(make.error, 'to')}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <NativeSelect
        label={text.form.kind}
        description={text.form.kindHint[kind]}
        value={kind}
        data={[
          { value: 'co-owner', label: text.form.kinds['co-owner'] },
          { value: 'transfer', label: text.form.kinds.transfer },
        ]}
        onChange={(event) => setKind(event.currentTarget.value as OfferKind)}
      />
    </ActionForm>
  )
}

function LeaveForm({ name, onClose }: { name: string; onClose: () => void }) {
  const leave = useLeaveName(name, () => showToast({ kind: 'done', subject: name, text: text.leaving.done }))
  return (
    <ActionForm
      boxed
      label={text.leaveLabel(name)}
      submit={text.leaving.confirm}
      color="red"
      takeFocus
      onCancel={onClose}
      change={leave}
      failed={text.leaving.failed}
      onSubmit={() => leave.mutate(undefined)}
    >
      <p>{text.leaving.hint(name)}</p>
    </ActionForm>
  )
}
