import { IconFingerprint, IconKey } from '@tabler/icons-react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { usePasskeySignIn, useProviderSignIn } from '../sign-in.api.ts'
import { texts } from '../session.texts.ts'
import classes from './sign-in-ways.module.css'

/** How people sign in without a link. */
export function SignInWays({ passkeys, providers }: { passkeys: boolean; providers: readonly string[] }) {
  const passkey = usePasskeySignIn()
  const provider = useProviderSignIn()
  const error = provider.error ?? passkey.error
  return (
    <div className={classes['ways']}>
      {passkeys && (
        <ActionButton
          variant="filled"
          icon={IconFingerprint}
          loading={passkey.isPending}
          onClick={() => {
            provider.reset()
            passkey.mutate()
          }}
        >
          {texts.ways.passkey}
        </ActionButton>
      )}
      {providers.map((name) => (
        <ActionButton
          key={name}
          icon={IconKey}
          loading={provider.isPending && provider.variables.provider === name}
          onClick={() => provider.mutate({ provider: name })}
        >
          {texts.ways.provider(name)}
        </ActionButton>
      ))}
      {error !== null && <Failure error={error} what={texts.ways.failed} />}
    </div>
  )
}
