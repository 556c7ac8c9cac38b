import { useEffect, useState } from 'react'
import type { FirstRun } from '../../../shared/contracts/desk-session.ts'
import { ActionButton } from '../../components/form/action-button.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { confirmKeys, handleKey, useActions } from '../../lib/keys/actions.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { signInNameOf } from '../../lib/sign-in-name.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { NewSetupLink } from './components/new-setup-link.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { FirstRunExpectations } from './components/first-run-expectations.tsx'
import { DataFolder } from './components/data-folder.tsx'
import { PersonName, PortAndProject } from './components/first-run-fields.tsx'
import { SetupAlternatives } from './components/setup-alternatives.tsx'
import { ReachChoice } from './components/reach-choice.tsx'
import { readDraft } from './first-run-draft.ts'
import { saveDraft } from './first-run-saved.ts'
import { fixedBy, longName, missingField } from './first-run.ts'
import { texts } from './session.texts.ts'
import classes from './first-run-page.module.css'
import { useCreateFirstAdministrator } from './sign-in.api.ts'
import { isCodeRefused, useFirstRun } from './use-first-run.ts'

const { firstRun: labels } = texts

/** Errors that are shown at their field. */
const fieldErrors: ReadonlySet<string> = new Set(['PORT_TAKEN', 'PERSON_EXISTS'])

/** Sets up the registry and creates the first administrator, with the link of the first start. */
export function FirstRunPage({ code, firstRun }: { code: string; firstRun: FirstRun }) {
  useTitle(labels.pageTitle)
  const [draft] = useState(readDraft)
  const [name, setName] = useState(draft?.name ?? '')
  const [typed, setTyped] = useState<string | null>(draft?.subject ?? null)
  const create = useCreateFirstAdministrator()
  const form = useFirstRun(code, firstRun, draft?.fields ?? null)
  const subject = typed ?? signInNameOf(name)
  const error = create.error === null ? null : asApiError(create.error)
  const fixed = fixedBy(firstRun.settings, 'host')
  const missing = longName(name) ?? (fixed === null ? missingField(form.fields) : null)
  const ready = name.trim() !== '' && subject.trim() !== '' && missing === null
  const submit = (): void => {
    if (!ready || create.isPending) return
    const settings = Object.keys(form.changes).length === 0 ? {} : { settings: form.changes }
    create.mutate({ code, name: name.trim(), subject: subject.trim(), ...settings })
  }
  const change: typeof form.change = (part) => {
    if (error !== null) create.reset()
    form.change(part)
  }
  const { fields } = form
  useEffect(() => saveDraft({ name, subject: typed, fields }), [name, typed, fields])
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  useActions([{ ...confirmKeys, id: 'start', label: labels.startAction, run: submit }])
  if (form.isLinkInvalid || (error !== null && isCodeRefused(error))) return <LinkUsed />
  return (
    <EntryFrame
      title={labels.title}
      lead={labels.lead}
      aside={
        <>
          <FirstRunExpectations settings={firstRun.settings} port={form.fields.port} />
          <SetupAlternatives code={code} firstRun={firstRun} />
        </>
      }
    >
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PersonName
          name={name}
          subject={subject}
          isTyped={typed !== null}
          error={error}
          onName={setName}
          onSubject={setTyped}
        />
        <DataFolder code={code} firstRun={firstRun} />
        <ReachChoice
          fields={form.fields}
          hostName={firstRun.hostName}
          fixed={fixed}
          issueOf={(key) => form.issueOf(key, error)}
          onChange={change}
        />
        <PortAndProject setup={firstRun} form={{ ...form, change }} error={error} />
        {error !== null && error.issues.length === 0 && !fieldErrors.has(error.code) && (
          <Failure error={error} what={labels.failed} retry={submit} />
        )}
        <div className={classes['actions']} data-actions>
          <ActionButton
            type="submit"
            variant="filled"
            size="lg"
            disabled={!ready}
            loading={create.isPending}
            keys="mod+Enter"
          >
            {labels.start}
          </ActionButton>
          <span data-text="hint">{missing ?? labels.hint}</span>
        </div>
      </form>
    </EntryFrame>
  )
}

function LinkUsed() {
  return (
    <EntryFrame title={texts.setupLink.used.title} lead={texts.setupLink.used.lead}>
      <NewSetupLink hint={texts.setupLink.used.command} />
    </EntryFrame>
  )
}
