import { Button, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskService } from '../../../../shared/contracts/desk-services.ts'
import { PortNote, portSentence } from '../../../components/form/port-note.tsx'
import { asApiError, issueOf } from '../../../lib/server/api-error.ts'
import { portQuery, readPort } from '../../../lib/server/ports.api.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import { useSaveSettings } from '../../settings/settings.api.ts'
import { useServiceActions } from '../use-service-actions.ts'
import classes from './port-taken.module.css'

/** A registry that cannot listen: who has its port, and the ways out. */
export function PortTaken({ service }: { service: DeskService }) {
  const [typed, setTyped] = useState<string | null>(null)
  const asked = useQuery({ ...portQuery(service.port), refetchInterval: 5000 })
  const text = typed ?? String(asked.data?.suggestion ?? '')
  const port = readPort(text)
  const rested = useRested(port, 200)
  const wanted = useQuery({ ...portQuery(rested ?? 0), enabled: rested !== null })
  const state = port !== null && wanted.data?.port === port ? wanted.data : null
  const save = useSaveSettings((changes) =>
    showToast({ kind: 'done', text: `The registry listens on ${String(changes.port)} now.` }),
  )
  const { pending, act } = useServiceActions(service.name)
  const refused = save.error === null ? null : asApiError(save.error)
  const wrong =
    text !== '' && port === null
      ? 'Write a number from 1 to 65535.'
      : (issueOf(refused, 'port') ?? refused?.message ?? (state === null ? null : portSentence(state)))

  return (
    <div className={classes['taken']}>
      <p className={classes['error']} role="alert">
        {(asked.data === undefined ? null : portSentence(asked.data)) ?? service.error}
      </p>
      {asked.data?.state === 'taken' && asked.data.holder !== null && (
        <p>
          Until one of them moves, nobody can publish or download. End that program, or use another port;
          publish clients then need the new address.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (state?.state === 'free' && !save.isPending) save.mutate({ port: state.port })
        }}
      >
        <TextInput
          aria-label="Another port of the registry"
          inputMode="numeric"
          value={text}
          error={wrong}
          rightSection={<PortNote state={state} />}
          rightSectionWidth={96}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            save.reset()
          }}
        />
        <Button type="submit" variant="filled" disabled={state?.state !== 'free'} loading={save.isPending}>
          Use this port
        </Button>
        <Button
          leftSection={<IconRefresh size={16} stroke={1.75} />}
          loading={pending === 'start'}
          onClick={() => act('start')}
        >
          Try {service.port} again
        </Button>
      </form>
    </div>
  )
}
