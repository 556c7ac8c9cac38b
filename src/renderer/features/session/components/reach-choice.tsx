import { TextInput } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { localAddress, reaches } from '../first-run.ts'
import type { FirstSettings, Reach } from '../first-run.ts'
import classes from './reach-choice.module.css'

interface Props {
  fields: FirstSettings
  hostName: string
  /** The variable that decides it in the place of the person. */
  fixed: string | null
  issueOf: (key: 'tlsCert' | 'tlsKey' | 'publicUrl' | 'trustProxy') => string | null
  onChange: (change: Partial<FirstSettings>) => void
}

/** Who may reach the registry: each way with its consequence, and the fields that it needs. */
export function ReachChoice({ fields, hostName, fixed, issueOf, onChange }: Props) {
  const name = useId()
  const local = localAddress(hostName, fields.port)
  const shared = { fields, onChange }
  const ways: Record<Reach, { title: string; text: string; more: ReactNode }> = {
    'this computer': {
      title: 'Only this computer',
      text: 'Nobody else can publish or download. Best for trying it out.',
      more: null,
    },
    'local network': {
      title: 'The local network, with a certificate',
      text: `Colleagues reach ${local}. You need a certificate file; tokens never travel unprotected.`,
      more: (
        <>
          <ReachText {...shared} field="tlsCert" label="Certificate (PEM)" issue={issueOf('tlsCert')} />
          <ReachText {...shared} field="tlsKey" label="Its key (PEM)" issue={issueOf('tlsKey')} />
          <ReachText
            {...shared}
            field="publicUrl"
            label="Address for colleagues"
            issue={issueOf('publicUrl')}
          />
        </>
      ),
    },
    proxy: {
      title: 'Behind a proxy',
      text: 'Your proxy ends TLS and passes requests on. Others reach its address, and Skilldock believes what it says of them.',
      more: (
        <>
          <ReachText {...shared} field="publicUrl" label="Public address" issue={issueOf('publicUrl')} />
          <ReachText {...shared} field="proxy" label="Address of the proxy" issue={issueOf('trustProxy')} />
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
      <legend>Who may reach the registry</legend>
      {fixed !== null && (
        <p className={classes['fixed']}>
          Set by <code>{fixed}</code>; cannot be changed here.
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
