import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { DeskSetting } from '../../../../shared/contracts/desk-settings.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { PortNote, portSentence } from '../../../components/form/port-note.tsx'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { portQuery, readPort } from '../../../lib/server/ports.api.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { describeDefault, effectOfAll, savedText, fieldOf, writeValue } from '../setting-fields.ts'
import { texts } from '../settings.texts.ts'
import classes from './setting-row.module.css'
import { upperFirst } from '../../../lib/format.ts'

const { setting: row } = texts

interface Props {
  setting: DeskSetting
  /** The unsaved text of the field. */
  draft: string | undefined
  issue: string | null
  onWrite: (text: string) => void
}

/** One setting: its name and hint on the left, its value and status on the right. */
export function SettingRow({ setting, draft, issue, onWrite }: Props) {
  const field = fieldOf(setting.key)
  const id = useId()
  const fixed = setting.source === 'environment'
  const text = fixed ? writeValue(setting.value) : (draft ?? savedText(setting))
  const number = /^\d{1,15}$/.test(text) ? Number(text) : null
  const port = useDraftedPort(field.kind === 'port' && draft !== undefined ? draft : '')
  const own = typeof setting.value === 'number' ? setting.value : null
  const problem = issue ?? (port === null ? null : portSentence(port, own))
  const options = fixed ? undefined : field.options
  const isDefault = text === writeValue(setting.default)
  return (
    <div className={classes['row']}>
      <div>
        <label {...(options === undefined ? { htmlFor: id } : {})}>{field.label}</label>
        <p id={`${id}-hint`} data-text="hint">
          {field.hint}
        </p>
      </div>
      <div>
        <div className={classes['value']}>
          {options !== undefined ? (
            <Choice
              label={field.label}
              describedBy={`${id}-hint ${id}-about`}
              options={options}
              value={text}
              onChange={onWrite}
            />
          ) : (
            <TextInput
              id={id}
              className={classes['field'] ?? ''}
              data-mono={field.kind === 'number' ? undefined : true}
              classNames={{ input: (field.kind === 'number' ? undefined : classes['mono']) ?? '' }}
              value={text}
              readOnly={fixed}
              inputMode={field.kind === 'number' || field.kind === 'port' ? 'numeric' : 'text'}
              spellCheck={false}
              placeholder={describeDefault(setting)}
              aria-describedby={`${id}-hint ${id}-about`}
              aria-invalid={problem !== null || undefined}
              error={problem !== null}
              rightSection={
                field.kind === 'port' ? <PortNote state={port} own={own} /> : (field.unit ?? null)
              }
              rightSectionWidth={field.kind === 'port' ? 132 : field.unit === undefined ? undefined : 56}
              onChange={(event) => onWrite(event.currentTarget.value)}
            />
          )}
          {setting.key === 'workspace' && !fixed && <ChooseFolder onChoose={onWrite} />}
          {number !== null && field.read !== undefined && <span data-text="note">{field.read(number)}</span>}
          <span className={classes['wrong']} role="status">
            {problem}
          </span>
        </div>
        <p id={`${id}-about`} data-text="hint">
          {fixed ? (
            <>
              {row.fixed[0]}
              <code>{setting.variable}</code>
              {row.fixed[1]}
            </>
          ) : (
            [
              row.default(describeDefault(setting)),
              ...(setting.source === 'file' ? [row.inFile] : []),
              upperFirst(effectOfAll([setting])),
            ].join(' ')
          )}{' '}
          {setting.waiting !== undefined && (
            <b className={classes['waiting']} data-ink="warn">
              {row.waiting(writeValue(setting.value), writeValue(setting.waiting))}
            </b>
          )}
          {!fixed && !isDefault && (
            <Button
              size="xs"
              variant="transparent"
              aria-label={row.resetOf(field.label)}
              onClick={() => onWrite(writeValue(setting.default))}
            >
              {row.reset}
            </Button>
          )}
        </p>
      </div>
    </div>
  )
}

/** The state of the port in the field; null until it has been checked. */
function useDraftedPort(text: string) {
  const port = readPort(text)
  const debounced = useDebounced(port, 250)
  const state = useQuery({ ...portQuery(debounced ?? 0), enabled: debounced !== null })
  return port !== null && state.data?.port === port ? state.data : null
}

/** Only in the app: a browser does not reveal paths. */
function ChooseFolder({ onChoose }: { onChoose: (path: string) => void }) {
  if (bridge === null) return null
  const choose = async (): Promise<void> => {
    const path = await chooseFolder('agents')
    if (path !== null) onChoose(path)
  }
  return <Button onClick={() => void choose()}>{row.choose}</Button>
}
