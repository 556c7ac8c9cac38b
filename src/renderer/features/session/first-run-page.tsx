import { Button, TextInput } from '@mantine/core'
import { IconFolder, IconInbox, IconServer2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { DeskState } from '../../../shared/contracts/desk-session.ts'
import { Failure } from '../../components/failure.tsx'
import { Keycap } from '../../components/keycap.tsx'
import { ApiError, asApiError, issueOf } from '../../lib/api-error.ts'
import { handleKey, useActions } from '../../lib/actions.ts'
import { useFocus } from '../../lib/use-focus.ts'
import { useTitle } from '../../lib/use-title.ts'
import { CommandLine } from './components/command-line.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { Expectations } from './components/expectations.tsx'
import classes from './first-run-page.module.css'
import { useCreateFirstAdministrator } from './session.api.ts'
import { subjectOf } from '../../lib/subject.ts'

/** The first administrator, by the link of the first start. */
export function FirstRunPage({ code, state }: { code: string; state: DeskState }) {
  useTitle('Set up')
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const focus = useFocus<HTMLInputElement>()
  const create = useCreateFirstAdministrator()
  const subject = typed ?? subjectOf(name)
  const error = create.error === null ? null : asApiError(create.error)
  const ready = name.trim() !== '' && subject.trim() !== ''
  const submit = (): void => {
    if (ready && !create.isPending) create.mutate({ code, name: name.trim(), subject: subject.trim() })
  }
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  useActions([
    { id: 'start', label: 'start', group: 'Decide', keys: ['mod+Enter'], inFields: true, run: submit },
  ])
  if (error?.code === 'CODE_INVALID') {
    return (
      <EntryFrame title="This link does not work any more" lead="It works once, within a limited time.">
        <p>On the computer that Skilldock runs on, this command prints a new one:</p>
        <CommandLine command="skilldock desk" />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame
      title="Set up your registry"
      lead="Everything stays on this computer. You become the first administrator."
      aside={<Expectations title="What is there" items={expectations} />}
    >
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          ref={focus}
          label="Your name"
          description="Your decisions carry it."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={name}
          maxLength={100}
          error={issueOf(error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Sign-in name"
          description="Made from your name. Commands and tokens use it; it stays as it is."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          classNames={{ input: classes['mono'] ?? '' }}
          value={subject}
          maxLength={255}
          spellCheck={false}
          error={issueOf(error, 'subject')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {state.dataFolder !== null && (
          <div>
            <p className={classes['label']}>Where the data lies</p>
            <code className={classes['folder']}>{state.dataFolder}</code>
            <p className={classes['hint']}>A backup of this one folder is a whole backup.</p>
          </div>
        )}
        {error instanceof ApiError && error.issues.length === 0 && (
          <Failure error={error} what="The administrator could not be made" retry={submit} />
        )}
        <div className={classes['actions']}>
          <Button type="submit" variant="filled" size="lg" disabled={!ready} loading={create.isPending}>
            Start Skilldock&nbsp;
            <Keycap keys="mod+Enter" quiet />
          </Button>
          <span className={classes['hint']}>No account, no network needed.</span>
        </div>
      </form>
    </EntryFrame>
  )
}

const expectations = [
  {
    icon: IconFolder,
    title: 'A folder for data',
    text: 'The database, the packages by their digest, and a signing key that only your account can read.',
  },
  {
    icon: IconServer2,
    title: 'Two services',
    text: 'The registry, which others may reach, and the desk with the dashboard, which answers this computer only.',
  },
  {
    icon: IconInbox,
    title: 'An empty queue',
    text: 'The first screen shows the one line that publishes a skill from a terminal.',
  },
]
