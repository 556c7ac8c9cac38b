import { Button, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskService } from '../../../../shared/contracts/desk-services.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { PortNote, portSentence } from '../../../components/form/port-note.tsx'
import { asApiError, issueOf } from '../../../lib/server/api-error.ts'
import { portQuery, readPort } from '../../../lib/server/ports.api.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { useSaveSettings } from '../../settings/settings.api.ts'
import { useServiceActions } from '../use-service-actions.ts'
import { texts } from '../services.texts.ts'
import classes from './port-in-use.module.css'

const { portInUse } = texts

/** Shown when the registry's port is in use: by which program, and a form to use another port. */
export function PortInUse({ service }: { service: DeskService }) {
  const [typed, setTyped] = useState<string | null>(null)
  const current = useQuery({ ...portQuery(service.port), refetchInterval: 5000 })
  const text = typed ?? String(current.data?.suggestion ?? '')
  const port = readPort(text)
  const debounced = useDebounced(port, 200)
  const checked = useQuery({ ...portQuery(debounced ?? 0), enabled: debounced !== null })
  const state = port !== null && checked.data?.port === port ? checked.data : null
  const save = useSaveSettings((changes) =>
    showToast({ kind: 'done', text: portInUse.done(String(changes.port)) }),
  )
  const { pending, act } = useServiceActions(service.name)
  const rejection = save.error === null ? null : asApiError(save.error)
  const problem =
    text !== '' && port === null
      ? portInUse.invalid
      : (issueOf(rejection, 'port') ?? rejection?.message ?? (state === null ? null : portSentence(state)))

  return (
    <div className={classes['form']}>
      <p className={classes['error']} role="alert">
        {(current.data === undefined ? null : portSentence(current.data)) ?? service.error}
      </p>
      {current.data?.state === 'taken' && current.data.holder !== null && <p>{portInUse.hint}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (state?.state === 'free' && !save.isPending) save.mutate({ port: state.port })
        }}
      >
        <TextInput
          aria-label={portInUse.label}
          inputMode="numeric"
          value={text}
          error={problem}
          rightSection={<PortNote state={state} />}
          rightSectionWidth={132}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            save.reset()
          }}
        />
        <Button type="submit" variant="filled" disabled={state?.state !== 'free'} loading={save.isPending}>
          {portInUse.use}
        </Button>
        <ActionButton icon={IconRefresh} loading={pending === 'start'} onClick={() => act('start')}>
          {portInUse.retry(service.port)}
        </ActionButton>
      </form>
    </div>
  )
}
