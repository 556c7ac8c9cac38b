import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { appInfoQuery } from '../../../lib/app/bridge.api.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { texts } from '../session.texts.ts'

/** How to get a new setup link: the app opens one itself, a browser user runs a command. */
export function NewSetupLink({ hint }: { hint: string }) {
  const app = useQuery(appInfoQuery)
  const request = useMutation({ mutationFn: () => bridge?.setup.newLink() ?? Promise.resolve() })
  if (app.data?.ownsServices !== true) {
    return (
      <>
        <p>{hint}</p>
        <CommandLine command="skilldock desk" />
      </>
    )
  }
  return (
    <>
      <Button variant="filled" loading={request.isPending} onClick={() => request.mutate()}>
        {texts.setupLink.continue}
      </Button>
      {request.error !== null && <p role="alert">{asApiError(request.error).message}</p>}
    </>
  )
}
