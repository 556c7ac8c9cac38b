import { Button, TextInput } from '@mantine/core'
import type { FirstRun } from '../../../../shared/contracts/desk-session.ts'
import { PortNote, portSentence } from '../../../components/form/port-note.tsx'
import { issueOf } from '../../../lib/server/api-error.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { readPort } from '../../../lib/server/ports.api.ts'
import { subjectOf } from '../../../lib/subject.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { fixedBy, longName } from '../first-run.ts'
import classes from '../first-run-page.module.css'
import type { FirstRunForm } from '../use-first-run.ts'

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

interface PersonProps {
  name: string
  subject: string
  /** Whether the sign-in name is the person's own and not made from the name. */
  isTyped: boolean
  error: ApiError | null
  onName: (name: string) => void
  onSubject: (subject: string) => void
}

/** The name, and the sign-in name that is made from it; that has a field where none can be made, or it is refused. */
export function PersonName({ name, subject, isTyped, error, onName, onSubject }: PersonProps) {
  const focus = useFocus<HTMLInputElement>()
  const refused = error?.code === 'PERSON_EXISTS' ? error.message : issueOf(error, 'subject')
  const asks = isTyped || refused !== null || (name.trim() !== '' && subjectOf(name) === '')
  return (
    <>
      <TextInput
        ref={focus}
        label="Your name"
        description={
          subject === '' || asks
            ? 'Your decisions carry it. You become the first administrator.'
            : `Your decisions carry it. You become the first administrator; commands call you ${subject}.`
        }
        inputWrapperOrder={inputWrapperOrder}
        value={name}
        error={longName(name) ?? issueOf(error, 'name')}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      {asks && (
        <TextInput
          label="Sign-in name"
          description="Commands and tokens use it; it stays as it is."
          inputWrapperOrder={inputWrapperOrder}
          classNames={{ input: classes['mono'] ?? '' }}
          value={subject}
          maxLength={255}
          spellCheck={false}
          error={refused}
          onChange={(event) => onSubject(event.currentTarget.value)}
        />
      )}
    </>
  )
}

interface PortProps {
  firstRun: FirstRun
  form: FirstRunForm
  error: ApiError | null
}

export function PortAndProject({ firstRun: { settings }, form, error }: PortProps) {
  const portFixed = fixedBy(settings, 'port')
  const projectFixed = fixedBy(settings, 'workspace')
  const deskPort = location.port
  const choose = async (): Promise<void> => {
    const folder = await chooseFolder('agents')
    if (folder !== null) form.change({ workspace: folder })
  }
  const { value: own, default: usual } = settings.find(({ key }) => key === 'port') ?? {}
  const ownPort = typeof own === 'number' ? own : null
  const typedWrong =
    form.fields.port.trim() !== '' &&
    form.fields.port !== String(own ?? '') &&
    readPort(form.fields.port) === null
      ? 'Write a number from 1 to 65535.'
      : null
  const taken = form.port === null ? null : portSentence(form.port, ownPort)
  const refused = error?.code === 'PORT_TAKEN' ? error.message : null
  return (
    <div className={classes['pair']}>
      <TextInput
        label="Port of the registry"
        description={
          portFixed === null
            ? `The desk and the dashboard keep ${deskPort}.`
            : `Set by ${portFixed}; cannot be changed here.`
        }
        inputWrapperOrder={inputWrapperOrder}
        inputMode="numeric"
        readOnly={portFixed !== null}
        placeholder={String(usual ?? '')}
        value={form.fields.port}
        rightSection={
          portFixed === null ? (
            <PortNote state={typedWrong === null ? form.port : null} own={ownPort} />
          ) : null
        }
        rightSectionWidth={96}
        error={portFixed === null ? (typedWrong ?? form.issueOf('port', error) ?? taken ?? refused) : null}
        onChange={(event) => form.change({ port: event.currentTarget.value })}
      />
      <div className={classes['chosen']}>
        <TextInput
          label="Agent project, optional"
          placeholder="None"
          description={
            projectFixed === null
              ? 'Only read, never written to.'
              : `Set by ${projectFixed}; cannot be changed here.`
          }
          inputWrapperOrder={inputWrapperOrder}
          readOnly={projectFixed !== null}
          value={form.fields.workspace}
          spellCheck={false}
          error={form.issueOf('workspace', error)}
          onChange={(event) => form.change({ workspace: event.currentTarget.value })}
        />
        {bridge !== null && projectFixed === null && (
          <Button
            className={classes['beside'] ?? ''}
            aria-label="Choose the agent project…"
            onClick={() => void choose()}
          >
            Choose…
          </Button>
        )}
      </div>
    </div>
  )
}
