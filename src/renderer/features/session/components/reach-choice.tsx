import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { localAddress, reaches } from '../first-run.ts'
import type { FirstSettings, Reach } from '../first-run.ts'
import { texts } from '../session.texts.ts'
import classes from './reach-choice.module.css'

const { reach: labels } = texts.firstRun

interface Props {
  fields: FirstSettings
  hostName: string
  /** The environment variable that sets it, if any. */
  fixed: string | null
  issueOf: (key: 'tlsCert' | 'tlsKey' | 'publicUrl' | 'trustProxy') => string | null
  onChange: (change: Partial<FirstSettings>) => void
}

interface ReachField {
  field: 'tlsCert' | 'tlsKey' | 'publicUrl' | 'proxy'
  label: string
  issue: string | null
}

/** Who can reach the registry. Each option explains its consequences and has the fields that it needs. */
export function ReachChoice({ fields, hostName, fixed, issueOf, onChange }: Props) {
  const name = useId()
  const local = localAddress(hostName, fields.port)
  const { thisComputer, localNetwork, proxy } = labels
  const ways: Record<Reach, { title: string; text: string; more: ReachField[] }> = {
    'this computer': { title: thisComputer.title, text: thisComputer.text, more: [] },
    'local network': {
      title: localNetwork.title,
      text: localNetwork.text(local),
      more: [
        { field: 'tlsCert', label: localNetwork.certificate, issue: issueOf('tlsCert') },
        { field: 'tlsKey', label: localNetwork.key, issue: issueOf('tlsKey') },
        { field: 'publicUrl', label: localNetwork.address, issue: issueOf('publicUrl') },
      ],
    },
    proxy: {
      title: proxy.title,
      text: proxy.text,
      more: [
        { field: 'publicUrl', label: proxy.address, issue: issueOf('publicUrl') },
        { field: 'proxy', label: proxy.proxy, issue: issueOf('trustProxy') },
      ],
    },
  }

  const choose = (reach: Reach): void => {
    const address = reach === 'local network' && fields.publicUrl === '' ? { publicUrl: local } : {}
    const none = reach === 'proxy' && fields.publicUrl === local ? { publicUrl: '' } : {}
    onChange({ reach, ...address, ...none })
  }
  return (
    <fieldset disabled={fixed !== null}>
      <legend>{labels.legend}</legend>
      {fixed !== null && (
        <p className={classes['fixed']} data-text="hint">
          {labels.fixed[0]}
          <code>{fixed}</code>
          {labels.fixed[1]}
        </p>
      )}
      <div className={classes['ways']}>
        {reaches.map((reach) => (
          <div key={reach} className={classes['way']} data-chosen={reach === fields.reach || undefined}>
            <label>
              <input
                type="radio"
                name={name}
                checked={reach === fields.reach}
                onChange={() => choose(reach)}
              />
              <b>{ways[reach].title}</b>
              <span data-text="hint">{ways[reach].text}</span>
            </label>
            {reach === fields.reach && ways[reach].more.length > 0 && (
              <div className={classes['more']}>
                {ways[reach].more.map(({ field, label, issue }) => (
                  <TextInput
                    key={field}
                    size="sm"
                    label={label}
                    value={fields[field]}
                    spellCheck={false}
                    error={issue}
                    onChange={(event) => onChange({ [field]: event.currentTarget.value })}
                  />
                ))}
              </div>
            )}
          </div>
        ))}
      </div>
    </fieldset>
  )
}
