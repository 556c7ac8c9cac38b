import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Failure } from '../../../components/feedback/failure.tsx'
import { usePasskeySignIn } from '../session.api.ts'
import { texts } from '../session.texts.ts'
import classes from './sign-in-ways.module.css'

/** How people sign in without a link. */
export function SignInWays() {
  const passkey = usePasskeySignIn()
  return (
    <div className={classes['ways']}>
      <Button
        variant="filled"
        leftSection={<IconFingerprint size={16} stroke={1.75} />}
        loading={passkey.isPending}
        onClick={() => passkey.mutate()}
      >
        {texts.ways.passkey}
      </Button>
      {passkey.error !== null && <Failure error={passkey.error} what={texts.ways.failed} />}
    </div>
  )
}
