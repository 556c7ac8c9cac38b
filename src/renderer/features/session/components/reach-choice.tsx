import { TextInput } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'
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

/** Who can reach the registry. Each option explains its consequences and has the fields that it needs. */
export function ReachChoice({ fields, hostName, fixed, issueOf, onChange }: Props) {
  const name = useId()
  const local = localAddress(hostName, fields.port)
  const shared = { fields, onChange }
  const ways: Record<Reach, { title: string; text: string; more: ReactNode }> = {
    'this computer': {
      title: labels.thisComputer.title,
      text: labels.thisComputer.text,
      more: null,
    },
    'local network': {
      title: labels.localNetwork.title,
      text: labels.localNetwork.text(local),
      more: (
        <>
          <ReachText
            {...shared}
            field="tlsCert"
            label={labels.localNetwork.certificate}
            issue={issueOf('tlsCert')}
          />
          <ReachText {...shared} field="tlsKey" label={labels.localNetwork.key} issue={issueOf('tlsKey')} />
          <ReachText
            {...shared}
            field="publicUrl"
            label={labels.localNetwork.address}
            issue={issueOf('publicUrl')}
          />
        </>
      ),
    },
    proxy: {
      title: labels.proxy.title,
      text: labels.proxy.text,
      more: (
        <>
          <ReachText
            {...shared}
            field="publicUrl"
            label={labels.proxy.address}
            issue={issueOf('publicUrl')}
          />
          <ReachText {...shared} field="proxy" label={labels.proxy.proxy} issue={issueOf('trustProxy')} />
        </>
      ),
    },
  }

  const choose = (reach: Reach): void => {
    const address = reach === 'local network' && fields.publicUrl === '' ? { publicUrl: local } : {}
    const none = reach === 'proxy' && fields.publicUrl === local ? { publicUrl: '' } : {}
    onChange({ reach, ...address, ...none })
  }
  return (
    <fieldset className={classes['reach']} disabled={fixed !== null}>
      <legend>{labels.legend}</legend>
      {fixed !== null && (
        <p className={classes['fixed']}>
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
              <span>{ways[reach].text}</span>
            </label>
            {reach === fields.reach && ways[reach].more !== null && (
              <div className={classes['more']}>{ways[reach].more}</div>
            )}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

interface TextProps {
  field: 'tlsCert' | 'tlsKey' | 'publicUrl' | 'proxy'
  label: string
  issue: string | null
}

function ReachText({
  field,
  label,
  issue,
  fields,
  onChange,
}: TextProps & Pick<Props, 'fields' | 'onChange'>) {
  return (
    <TextInput
      size="sm"
      label={label}
      value={fields[field]}
      spellCheck={false}
      error={issue}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  )
}
