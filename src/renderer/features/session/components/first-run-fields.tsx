import { Button, TextInput } from '@mantine/core'
import type { FirstRun } from '../../../../shared/contracts/desk-session.ts'
import { PortNote, portSentence } from '../../../components/form/port-note.tsx'
import { issueOf } from '../../../lib/server/api-error.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { readPort } from '../../../lib/server/ports.api.ts'
import { signInNameOf } from '../../../lib/sign-in-name.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { fixedBy, longName } from '../first-run.ts'
import { texts } from '../session.texts.ts'
import classes from '../first-run-page.module.css'
import type { FirstRunForm } from '../use-first-run.ts'

const { firstRun } = texts

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

interface PersonProps {
  name: string
  subject: string
  /** Whether the sign-in name was typed rather than derived from the name. */
  isTyped: boolean
  error: ApiError | null
  onName: (name: string) => void
  onSubject: (subject: string) => void
}

/** The name, from which the sign-in name is derived. That has a field only if it cannot be derived or was rejected. */
export function PersonName({ name, subject, isTyped, error, onName, onSubject }: PersonProps) {
  const focus = useFocus<HTMLInputElement>()
  const rejection = error?.code === 'PERSON_EXISTS' ? error.message : issueOf(error, 'subject')
  const showsSubject = isTyped || rejection !== null || (name.trim() !== '' && signInNameOf(name) === '')
  return (
    <>
      <TextInput
        ref={focus}
        label={firstRun.name.label}
        description={firstRun.name.hint(subject === '' || showsSubject ? null : subject)}
        inputWrapperOrder={inputWrapperOrder}
        value={name}
        error={longName(name) ?? issueOf(error, 'name')}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      {showsSubject && (
        <TextInput
          label={firstRun.subject.label}
          description={firstRun.subject.hint}
          inputWrapperOrder={inputWrapperOrder}
          data-mono
          value={subject}
          maxLength={255}
          spellCheck={false}
          error={rejection}
          onChange={(event) => onSubject(event.currentTarget.value)}
        />
      )}
    </>
  )
}

interface PortProps {
  setup: FirstRun
  form: FirstRunForm
  error: ApiError | null
}

export function PortAndProject({ setup: { settings }, form, error }: PortProps) {
  const portFixed = fixedBy(settings, 'port')
  const projectFixed = fixedBy(settings, 'workspace')
  const deskPort = location.port
  const choose = async (): Promise<void> => {
    const folder = await chooseFolder('agents')
    if (folder !== null) form.change({ workspace: folder })
  }
  const { value: own, default: defaultPort } = settings.find(({ key }) => key === 'port') ?? {}
  const ownPort = typeof own === 'number' ? own : null
  const invalid =
    form.fields.port.trim() !== '' &&
    form.fields.port !== String(own ?? '') &&
    readPort(form.fields.port) === null
      ? firstRun.port.invalid
      : null
  const taken = form.port === null ? null : portSentence(form.port, ownPort)
  const rejection = error?.code === 'PORT_TAKEN' ? error.message : null
  return (
    <div className={classes['pair']}>
      <TextInput
        label={firstRun.port.label}
        description={portFixed === null ? firstRun.port.hint(deskPort) : firstRun.fixed(portFixed)}
        inputWrapperOrder={inputWrapperOrder}
        inputMode="numeric"
        readOnly={portFixed !== null}
        placeholder={String(defaultPort ?? '')}
        value={form.fields.port}
        rightSection={
          portFixed === null ? <PortNote state={invalid === null ? form.port : null} own={ownPort} /> : null
        }
        rightSectionWidth={132}
        error={portFixed === null ? (invalid ?? form.issueOf('port', error) ?? taken ?? rejection) : null}
        onChange={(event) => form.change({ port: event.currentTarget.value })}
      />
      <div className={classes['chosen']}>
        <TextInput
          label={firstRun.project.label}
          placeholder={firstRun.project.none}
          description={projectFixed === null ? firstRun.project.hint : firstRun.fixed(projectFixed)}
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
            aria-label={firstRun.project.chooseLabel}
            onClick={() => void choose()}
          >
            {firstRun.project.choose}
          </Button>
        )}
      </div>
    </div>
  )
}
