import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Failure } from '../../../components/feedback/failure.tsx'
import { usePasskeySignIn } from '../session.api.ts'
import { texts } from '../session.texts.ts'

/** Signs in with a passkey of this browser or computer, without asking for a name. */
export function PasskeySignIn() {
  const signIn = usePasskeySignIn()
  return (
    <>
      <Button
        size="md"
        variant="filled"
        leftSection={<IconFingerprint size={16} stroke={1.75} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {texts.passkey.signIn}
      </Button>
      {signIn.error !== null && <Failure error={signIn.error} what={texts.passkey.failed} />}
    </>
  )
}
